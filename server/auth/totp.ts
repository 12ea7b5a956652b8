import { Secret, TOTP } from "otpauth";
import type { TotpSecret } from "../../shared/protocol/account.ts";
import { findTotp, spendTotpStep, startTotp } from "../store/users/totp.ts";
import type { Auth } from "./create-auth.ts";

/**
 * One-time codes of an authenticator app (RFC 6238; SHA-1, six digits, thirty seconds: what every app
 * supports). A code is accepted one step early and late, for clocks that differ, and once: neither it nor an
 * earlier one is accepted again.
 */

const PERIOD_S = 30;
const STEPS_AROUND = 1;
const SECRET_BYTES = 20;
const ISSUER = "Watchfloor";
/** An unfinished enrolment expires, so that somebody who saw the code on the screen can't use it later. */
const ENROLMENT_TTL_MS = 900_000;

/** A new secret for a user without an active one; null otherwise. */
export async function enrolTotp(
  { db, box }: Auth,
  { id, email }: { id: string; email: string },
): Promise<TotpSecret | null> {
  const secret = new Secret({ size: SECRET_BYTES });
  if (!(await startTotp(db, id, box.encrypt(secret.base32, id)))) return null;
  const uri = totpOf(secret, email).toString();
  return { secret: secret.base32, uri };
}

/**
 * Whether a code is right and unused. It is used up, and completes an enrolment in progress; a complete one
 * is not completed again.
 */
export async function takeTotp(
  { db, box }: Auth,
  user: string,
  typed: string,
  stage: "confirmed" | "begun",
): Promise<boolean> {
  const token = typed.replace(/\s/g, "");
  const row = /^\d{6}$/.test(token) ? await findTotp(db, user) : null;
  if (!row || row.confirmed !== (stage === "confirmed")) return false;
  if (!row.confirmed && row.age > ENROLMENT_TTL_MS) return false;
  const opened = box.decrypt(row.secret, user);
  if (opened === null) return false;
  const now = Date.now();
  const delta = totpOf(Secret.fromBase32(opened), user).validate({
    token,
    timestamp: now,
    window: STEPS_AROUND,
  });
  if (delta === null) return false;
  const step = Math.floor(now / 1_000 / PERIOD_S) + delta;
  return spendTotpStep(db, user, { secret: row.secret, step });
}

function totpOf(secret: Secret, label: string): TOTP {
  return new TOTP({
    issuer: ISSUER,
    label,
    secret,
    period: PERIOD_S,
    digits: 6,
    algorithm: "SHA1",
  });
}
