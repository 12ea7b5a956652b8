import { randomInt } from "node:crypto";
import { explain } from "../../shared/error-texts/explain.ts";
import type { Pairing, PairingState } from "../../shared/protocol/displays.ts";
import { networkOf } from "../auth/network-of.ts";
import { SIGN_IN_WINDOW_MS, tooMany } from "../auth/sign-in-throttle.ts";
import { hashToken, newToken } from "../auth/tokens.ts";
import type { Db } from "../store/database.ts";
import {
  deletePairing,
  findPairing,
  insertPairing,
  lockDisplay,
  setDisplayToken,
} from "../store/displays/pairings.ts";
import { countAttempt } from "../store/users/sign-in-attempts.ts";
import type { Displays } from "./create-displays.ts";

/** How long a pairing code is valid. */
export const PAIRING_TTL_MS = 600_000;

/** Unambiguous characters: no 0 and O, no 1, I and L. Readable at five metres. */
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const LENGTH = 8;

/** The screen's side of pairing: it shows a code, polls whether somebody used it, gets its credential. */

/** A code for a screen, and the secret with which that screen alone polls for it. */
export async function beginPairing(
  { db, limits }: Displays,
  ip: string,
  former: string | null,
): Promise<{ pairing: Pairing; secret: string }> {
  const bound = { limit: limits.PAIRING_CODES_PER_ADDRESS, windowMs: SIGN_IN_WINDOW_MS };
  const wait = await countAttempt(db, hashToken(`pairing ${networkOf(ip)}`), bound);
  if (wait !== null) throw tooMany(wait, explain("display.tooManyPairings"));
  if (former) await deletePairing(db, hashToken(former));
  for (;;) {
    const code = newPairingCode();
    const secret = newToken();
    const made = await insertPairing(db, {
      secretHash: hashToken(secret),
      codeHash: hashToken(code),
      ttlMs: PAIRING_TTL_MS,
    });
    if (made) return { pairing: { code, ...made }, secret };
  }
}

/**
 * The state of the pairing. Once the screen is paired, the answer includes its credential: always the same,
 * so that of two tabs that ask at once neither gets one that the other has invalidated.
 */
export async function checkPairing(
  { db }: Displays,
  secret: string | null,
): Promise<PairingState & { token?: string }> {
  if (!secret) return { state: "expired" };
  const findIn = (from: Db) => findPairing(from, hashToken(secret), PAIRING_TTL_MS);
  const found = await findIn(db);
  if (!found) return { state: "expired" };
  const display = found.display_id;
  if (!display) return { state: "waiting", expires: found.expires };
  const token = credentialOf(secret);
  return db.transaction().execute(async (tx) => {
    // Checked again under the lock: a display that is revoked meanwhile stays revoked.
    await lockDisplay(tx, display);
    if ((await findIn(tx))?.display_id !== display) return { state: "expired" };
    await setDisplayToken(tx, display, hashToken(token));
    return { state: "paired", token };
  });
}

/** As good a secret as the one it is derived from, of which the store knows only the hash. */
function credentialOf(secret: string): string {
  return hashToken(`credential of ${secret}`);
}

/**
 * A code for the screen: 31^8 possibilities, for ten minutes, and only users who manage displays can try one.
 */
function newPairingCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}
