import { bindAll } from "../../shared/bind-all.ts";
import type { Limits } from "../../shared/limits.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type {
  AddedPasskey,
  AddPasskeyCall,
  Factors,
  PasskeyInfo,
  PasskeyOptions,
  TotpSecret,
} from "../../shared/protocol/factors.ts";
import type { Db } from "../store/database.ts";
import {
  deletePasskey,
  deletePasskeysOf,
  listPasskeys,
  type PasskeyRow,
} from "../store/users/passkeys.ts";
import { countRecoveryCodes, deleteRecoveryCodes } from "../store/users/recovery-codes.ts";
import { deleteSessionsOf } from "../store/users/sessions.ts";
import { deleteTotp, findTotp } from "../store/users/totp.ts";
import { holdActive } from "../store/users/users.ts";
import { lockManagedUser, managedUser } from "./authorize-rank.ts";
import type { Identity } from "./identity.ts";
import { passkeyToMake, provenPasskey, type Site, storePasskey } from "./passkeys.ts";
import { notPresent, provePassword } from "./passwords.ts";
import { firstRecoveryCodes, issueRecoveryCodes } from "./recovery-codes.ts";
import type { Revocations } from "./revocations.ts";
import type { SecretBox } from "./secret-box.ts";
import { recordEvent } from "./security-log.ts";
import { beginAttempt } from "./sign-in-throttle.ts";
import { enrolTotp, takeTotp } from "./totp.ts";

/**
 * The second factors of a user. A user with one needs it for every sign-in; each change asks for the password
 * again. The first factor brings recovery codes; removing the last one removes them. Users who manage users
 * may remove all factors of somebody who lost them.
 */

interface Deps {
  db: Db;
  limits: Limits;
  box: SecretBox;
  revocations: Revocations;
}

/** Composes the service; password checks are throttled like sign-ins. */
export function createFactors(deps: Deps) {
  const { db } = deps;
  return {
    mine: (me: Identity) => factorsOf(db, me.subject.id),
    ...bindAll(deps, { startTotp, confirmTotp, renewCodes, removeAllOf }),
    async removeTotp(me: Identity, password: string) {
      const proved = await provePassword(deps, me, password);
      await changing(db, me, proved, async (tx) => {
        if (!(await deleteTotp(tx, me.subject.id))) throw new Refusal("not_found");
        await dropIdleCodes(tx, me.subject.id);
        await noteFactor(tx, me, "factor_removed", { factor: "totp" });
      });
    },
    async startPasskey(me: Identity, password: string, site: Site): Promise<PasskeyOptions> {
      await provePassword(deps, me, password);
      return passkeyToMake(deps, me, site);
    },
    async addPasskey(me: Identity, call: AddPasskeyCall, site: Site): Promise<AddedPasskey> {
      const key = await provenPasskey(deps, me, call, site);
      return changing(db, me, null, async (tx) => {
        const row = await storePasskey(tx, key);
        const recoveryCodes = await firstRecoveryCodes(tx, me.subject.id);
        await noteFactor(tx, me, "factor_added", { factor: "passkey", name: row.name });
        return { ...describePasskey(row), recoveryCodes };
      });
    },
    async removePasskey(me: Identity, id: string, password: string) {
      const proved = await provePassword(deps, me, password);
      await changing(db, me, proved, async (tx) => {
        const name = await deletePasskey(tx, me.subject.id, id);
        if (name === null) throw new Refusal("not_found");
        await dropIdleCodes(tx, me.subject.id);
        await noteFactor(tx, me, "factor_removed", { factor: "passkey", name });
      });
    },
    async of(me: Subject, user: string) {
      await managedUser(db, me, user);
      return factorsOf(db, user);
    },
  };
}

/** The active factors of a user. */
export async function factorsOf(db: Db, user: string): Promise<Factors> {
  const [totp, passkeys, recoveryCodes] = await Promise.all([
    findTotp(db, user),
    listPasskeys(db, user),
    countRecoveryCodes(db, user),
  ]);
  const confirmed = totp?.confirmed === true;
  return { totp: confirmed, recoveryCodes, passkeys: passkeys.map(describePasskey) };
}

async function startTotp(deps: Deps, me: Identity, password: string): Promise<TotpSecret> {
  const proved = await provePassword(deps, me, password);
  const secret = await changing(deps.db, me, proved, (tx) =>
    enrolTotp({ db: tx, box: deps.box }, me.user),
  );
  if (secret) return secret;
  const message = "An authenticator is in use. Remove it first.";
  throw new Refusal("validation_failed", { fields: { totp: { rule: "state", message } } });
}

/** Returns recovery codes if this is the user's first factor. */
async function confirmTotp(deps: Deps, me: Identity, code: string) {
  const attempt = await beginAttempt(deps, { user: me.subject.id });
  const codes = await changing(deps.db, me, null, async (tx) => {
    if (!(await takeTotp({ db: tx, box: deps.box }, me.subject.id, code, "begun"))) {
      const message = "That code is not right. Codes change every 30 seconds.";
      throw new Refusal("validation_failed", { fields: { code: { rule: "wrong", message } } });
    }
    await noteFactor(tx, me, "factor_added", { factor: "totp" });
    return firstRecoveryCodes(tx, me.subject.id);
  });
  await attempt.inconclusive();
  return codes;
}

async function renewCodes(deps: Deps, me: Identity, password: string): Promise<string[]> {
  const proved = await provePassword(deps, me, password);
  return changing(deps.db, me, proved, async (tx) => {
    if (!(await hasFactor(tx, me.subject.id))) throw noFactor();
    await noteFactor(tx, me, "recovery_codes_renewed", {});
    return issueRecoveryCodes(tx, me.subject.id);
  });
}

/** Removes all factors of another user, and ends their sessions. */
async function removeAllOf({ db, revocations }: Deps, me: Subject, user: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockManagedUser(tx, me, user);
    if (user === me.id) throw onProfile();
    await deleteTotp(tx, user);
    await deletePasskeysOf(tx, user);
    await deleteRecoveryCodes(tx, user);
    await deleteSessionsOf(tx, user);
    await recordEvent(tx, { kind: "factors_taken_away", actor: me.id, subject: user });
  });
  revocations.announce({ kind: "user", user });
}

/**
 * Changes the factors of a user one at a time, so that two changes can't each assume that the other's factor
 * stays. The proved password must still be the current one.
 */
async function changing<T>(
  db: Db,
  me: Identity,
  proved: string | null,
  change: (tx: Db) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    if (!(await holdActive(tx, me.subject.id, proved))) throw notPresent();
    return change(tx);
  });
}

function onProfile(): Refusal {
  const message = "You change your own second factor on your profile.";
  return new Refusal("validation_failed", { fields: { user: { rule: "state", message } } });
}

function noFactor(): Refusal {
  const message = "Recovery codes are for who has a second factor.";
  return new Refusal("validation_failed", {
    fields: { recoveryCodes: { rule: "state", message } },
  });
}

function noteFactor(
  db: Db,
  { subject }: Identity,
  kind: "factor_added" | "factor_removed" | "recovery_codes_renewed",
  detail: Record<string, string>,
): Promise<void> {
  return recordEvent(db, { kind, actor: subject.id, detail });
}

async function hasFactor(db: Db, user: string): Promise<boolean> {
  if ((await findTotp(db, user))?.confirmed) return true;
  return (await listPasskeys(db, user)).length > 0;
}

async function dropIdleCodes(db: Db, user: string): Promise<void> {
  if (!(await hasFactor(db, user))) await deleteRecoveryCodes(db, user);
}

function describePasskey({ id, name, created_at, last_used }: PasskeyRow): PasskeyInfo {
  return { id, name, createdAt: created_at, lastUsed: last_used };
}
