import { explain } from "../../shared/error-texts/explain.ts";
import { explainSignIn } from "../../shared/error-texts/sign-in-texts.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import type {
  AddedPasskey,
  AddPasskeyCall,
  Factors,
  PasskeyInfo,
  PasskeyOptions,
  TotpSecret,
} from "../../shared/protocol/account.ts";
import { invalidValue, Refusal } from "../../shared/protocol/errors.ts";
import type { Db } from "../store/database.ts";
import { hasPassword } from "../store/users/identity-providers.ts";
import { deleteKnownDevices } from "../store/users/known-devices.ts";
import {
  deletePasskey,
  deletePasskeysOf,
  listPasskeys,
  type PasskeyRow,
} from "../store/users/passkeys.ts";
import { countRecoveryCodes, deleteRecoveryCodes } from "../store/users/recovery-codes.ts";
import { deleteSessionsOf, hasJustBegun, noteFactorShown } from "../store/users/sessions.ts";
import { deleteTotp, findTotp } from "../store/users/totp.ts";
import { holdActive } from "../store/users/users.ts";
import { lockManagedUser, managedUser } from "./authorize-rank.ts";
import type { Auth } from "./create-auth.ts";
import type { Identity } from "./identity.ts";
import { passkeyToMake, provenPasskey, type Site, storePasskey } from "./passkeys.ts";
import { notPresent, provePassword } from "./passwords.ts";
import { requireRecentProof } from "./recent-authentication.ts";
import { firstRecoveryCodes, issueRecoveryCodes } from "./recovery-codes.ts";
import { recordEvent } from "./security-log.ts";
import { beginAttempt } from "./sign-in-throttle.ts";
import { enrolTotp, takeTotp } from "./totp.ts";

/**
 * The second factors of a user. A user with one needs it for every sign-in; each change asks for the password
 * again. The first factor brings recovery codes; removing the last one removes them. Users who manage users
 * may remove all factors of somebody who lost them.
 */

/** Removes the authenticator. */
export async function removeTotp(auth: Auth, me: Identity, password: string): Promise<void> {
  const proved = await provePassword(auth, me, password);
  await changing(auth.db, me, proved, async (tx) => {
    if (!(await deleteTotp(tx, me.subject.id))) throw new Refusal("not_found");
    await dropIdleCodes(tx, me.subject.id);
    await noteFactor(tx, me, "factor_removed", { factor: "totp" });
  });
}

/** What a browser needs to make a passkey. */
export async function startPasskey(
  auth: Auth,
  me: Identity,
  password: string | undefined,
  site: Site,
): Promise<PasskeyOptions> {
  await proveForPasskey(auth, me, password);
  return passkeyToMake(auth, me, site);
}

/** Stores a passkey that a browser has made. Returns recovery codes if this is the user's first factor. */
export async function addPasskey(
  auth: Auth,
  me: Identity,
  call: AddPasskeyCall,
  site: Site,
): Promise<AddedPasskey> {
  const key = await provenPasskey(auth, me, call, site);
  const added = await changing(auth.db, me, null, async (tx) => {
    const row = await storePasskey(tx, key);
    const recoveryCodes = await codesOfFirst(tx, me.subject.id);
    await noteAdded(tx, me, { factor: "passkey", name: row.name });
    return { ...describePasskey(row), recoveryCodes };
  });
  completed(auth, me);
  return added;
}

/** Removes one of the user's own passkeys. */
export async function removePasskey(
  auth: Auth,
  me: Identity,
  id: string,
  password: string | undefined,
): Promise<void> {
  const proved = await proveForPasskey(auth, me, password);
  await changing(auth.db, me, proved, async (tx) => {
    const name = await deletePasskey(tx, me.subject.id, id);
    if (name === null) throw new Refusal("not_found");
    await dropIdleCodes(tx, me.subject.id);
    await noteFactor(tx, me, "factor_removed", { factor: "passkey", name });
  });
}

/**
 * The proof of a user who changes their passkeys: the password, or if they have none, because they sign in by a provider, a recent proof.
 * A provider that does not say when its user proved who they are gives none; right after a sign-in its users may add a passkey,
 * which proves it from then on.
 */
async function proveForPasskey(
  auth: Auth,
  me: Identity,
  password: string | undefined,
): Promise<string | null> {
  if (password !== undefined) return provePassword(auth, me, password);
  if (!me.lacksFactor && (await hasPassword(auth.db, me.subject.id))) throw notPresent();
  const { RECENT_AUTHENTICATION_MS } = auth.limits;
  if (me.session !== null && (await hasJustBegun(auth.db, me.session, RECENT_AUTHENTICATION_MS))) {
    return null;
  }
  await requireRecentProof(auth, me);
  return null;
}

/** The factors of a user whom the caller manages. */
export async function managedFactors({ db }: Auth, me: Subject, user: string): Promise<Factors> {
  await managedUser(db, me, user);
  return factorsOf(db, user);
}

/** The active factors of a user. */
export async function factorsOf(db: Db, user: string): Promise<Factors> {
  const [password, totp, passkeys, recoveryCodes] = await Promise.all([
    hasPassword(db, user),
    findTotp(db, user),
    listPasskeys(db, user),
    countRecoveryCodes(db, user),
  ]);
  const confirmed = totp?.confirmed === true;
  return { password, totp: confirmed, recoveryCodes, passkeys: passkeys.map(describePasskey) };
}

/** A secret to be confirmed by a code of the authenticator. */
export async function startTotp(
  auth: Auth,
  me: Identity,
  password: string | undefined,
): Promise<TotpSecret> {
  const proved =
    password === undefined ? await proveFirst(auth, me) : await provePassword(auth, me, password);
  const secret = await changing(auth.db, me, proved, (tx) =>
    enrolTotp({ ...auth, db: tx }, me.user),
  );
  if (secret) return secret;
  throw invalidValue("totp", "state", explain("factor.totpInUse"));
}

/** The proof of a user who must add their first factor to go on: that they have just signed in. Only who has a password removes an app. */
async function proveFirst(auth: Auth, me: Identity): Promise<null> {
  if (!me.lacksFactor || !(await hasPassword(auth.db, me.subject.id))) throw notPresent();
  await requireRecentProof(auth, me);
  return null;
}

/** Returns recovery codes if this is the user's first factor. */
export async function confirmTotp(auth: Auth, me: Identity, code: string) {
  const attempt = await beginAttempt(auth, { user: me.subject.id });
  const codes = await changing(auth.db, me, null, async (tx) => {
    if (!(await takeTotp({ ...auth, db: tx }, me.subject.id, code, "begun"))) {
      throw invalidValue("code", "wrong", explain("factor.wrongCode"));
    }
    await noteAdded(tx, me, { factor: "totp" });
    return codesOfFirst(tx, me.subject.id);
  });
  await attempt.inconclusive();
  completed(auth, me);
  return codes;
}

/** Replaces the recovery codes. */
export async function renewRecoveryCodes(
  auth: Auth,
  me: Identity,
  password: string,
): Promise<string[]> {
  const proved = await provePassword(auth, me, password);
  return changing(auth.db, me, proved, async (tx) => {
    if (!(await hasFactor(tx, me.subject.id))) {
      throw invalidValue("recoveryCodes", "state", explain("factor.none"));
    }
    await noteFactor(tx, me, "recovery_codes_renewed", {});
    return issueRecoveryCodes(tx, me.subject.id);
  });
}

/** Removes all factors of another user, and ends their sessions. */
export async function removeFactorsOf(
  { db, notifier }: Auth,
  me: Subject,
  user: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockManagedUser(tx, me, user);
    if (user === me.id) throw invalidValue("user", "state", explain("factor.own"));
    await deleteTotp(tx, user);
    await deletePasskeysOf(tx, user);
    await deleteRecoveryCodes(tx, user);
    await deleteSessionsOf(tx, user);
    await recordEvent(tx, { kind: "factors_taken_away", actor: me.id, subject: user });
  });
  notifier.changed("user", user);
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
    // A first factor needs the first one alone; whoever knows that much must not add a second one beside another's.
    if (me.lacksFactor && (await hasFactor(tx, me.subject.id))) {
      const explanation = explainSignIn("policy.factorExists");
      throw new Refusal("forbidden", { right: "secondFactor" }, explanation);
    }
    return change(tx);
  });
}

/** Recovery codes with a first factor. Devices that were known before have not shown it: each is known again when it has. */
async function codesOfFirst(tx: Db, user: string): Promise<string[] | null> {
  const codes = await firstRecoveryCodes(tx, user);
  if (codes) await deleteKnownDevices(tx, user);
  return codes;
}

/** A session that lacked a second factor has shown it by adding it. */
async function noteAdded(tx: Db, me: Identity, detail: Record<string, string>): Promise<void> {
  await noteFactor(tx, me, "factor_added", detail);
  if (!me.lacksFactor || me.session === null) return;
  if (!(await noteFactorShown(tx, me.session))) throw new Refusal("session_ended");
}

function completed({ notifier }: Auth, { lacksFactor, session }: Identity): void {
  if (lacksFactor) notifier.changed("session", session);
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
