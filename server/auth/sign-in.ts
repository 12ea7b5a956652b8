import { explain } from "../../shared/error-texts/explain.ts";
import type { Factors, PasskeyResponse } from "../../shared/protocol/account.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { SignInPolicy } from "../../shared/protocol/identity-providers.ts";
import type { FactorCall, SignInCall } from "../../shared/protocol/session.ts";
import type { Db } from "../store/database.ts";
import { notePasskeyUse } from "../store/users/passkeys.ts";
import {
  deleteSession,
  insertSession,
  noteFactorShown,
  noteProof,
  type ProviderSession,
} from "../store/users/sessions.ts";
import { findUser, findUserByEmail, holdActive, setPassword } from "../store/users/users.ts";
import type { Auth } from "./create-auth.ts";
import { knownDevice } from "./devices.ts";
import { factorsOf } from "./factors.ts";
import type { Identity } from "./identity.ts";
import { networkOf } from "./network-of.ts";
import { type PasskeyUse, provenUse, type Site } from "./passkeys.ts";
import { hashPassword, isOutdated, verifyPassword } from "./password.ts";
import { takeRecoveryCode } from "./recovery-codes.ts";
import { recordEvent, recordOnce } from "./security-log.ts";
import { mustUseProvider, noteBreakGlass, providerRequired, readPolicy } from "./sign-in-policy.ts";
import {
  type Attempt,
  type AttemptSource,
  beginAttempt,
  beginCode,
  SIGN_IN_WINDOW_MS,
} from "./sign-in-throttle.ts";
import { hashToken, newToken } from "./tokens.ts";
import { takeTotp } from "./totp.ts";

/** The source of a call, as far as a session stores it. */
export interface Caller {
  ip: string;
  userAgent: string;
}

/** The method of a sign-in, as the events record it. */
type SignInMethod =
  | ("password" | "totp" | "recovery" | "passkey")
  | ("invitation" | "setup" | "link" | "provider");

/**
 * Opens a session and returns its token. A wrong password, an unknown email and a disabled account are
 * answered alike and take the same time. A second factor is requested only after the password was right, so
 * that it is not revealed to others. Those of one network take turns, so that right ones at the same moment do not count as failures.
 */
export function signIn(
  auth: Auth,
  call: SignInCall,
  caller: Caller,
  deviceToken: string | null = null,
): Promise<string> {
  return auth.signIns.run(networkOf(caller.ip), () => signInNow(auth, call, caller, deviceToken));
}

async function signInNow(
  auth: Auth,
  call: SignInCall,
  caller: Caller,
  deviceToken: string | null,
): Promise<string> {
  const user = await findUserByEmail(auth.db, call.email);
  const device = await knownDevice(auth, user?.id, deviceToken);
  const source = device === null ? { email: call.email, ip: caller.ip } : { device };
  const attempt = await throttled(auth, source, user?.id);
  const right = await verifyPassword(call.password, user?.password_hash ?? null);
  if (!user || !right || user.status !== "active") {
    await recordFailure(auth, user?.id ?? null, right ? "status" : "password");
    throw notRight();
  }
  const policy = await readPolicy(auth.db);
  const methods = methodsOf(await factorsOf(auth.db, user.id));
  if (mustUseProvider(policy, user)) {
    await attempt.inconclusive();
    await recordFailure(auth, user.id, "policy");
    throw providerRequired();
  }
  if (methods.length > 0 && call.code === undefined) {
    await attempt.inconclusive();
    throw new Refusal("second_factor_required", { methods });
  }
  const code = methods.length > 0 ? (call.code ?? "") : null;
  const guess = code === null ? null : await codeAttempt(auth, user.id, code, { device, attempt });
  const { token, wrong } = await enter(auth, { ...user, code }, caller, policy);
  if (!token) {
    await recordFailure(auth, user.id, wrong ?? "password");
    throw wrong === "code" ? new Refusal("second_factor_wrong", { methods }) : notRight();
  }
  await guess?.succeeded();
  await attempt.succeeded();
  const { id, password_hash: former } = user;
  if (former !== null && isOutdated(former)) {
    await setPassword(auth.db, id, await hashPassword(call.password), former);
  }
  return token;
}

/**
 * Uses up the code and opens the session in one transaction, in which the password is still the proved one:
 * changing it to lock somebody out ends this session too. Otherwise returns the problem.
 */
async function enter(
  auth: Auth,
  user: { id: string; role: string; password_hash: string | null; code: string | null },
  caller: Caller,
  policy: SignInPolicy,
): Promise<{ token?: string; wrong?: "password" | "code" }> {
  return auth.db.transaction().execute(async (tx) => {
    if (!(await holdActive(tx, user.id, user.password_hash))) return { wrong: "password" };
    const { code } = user;
    const method = code === null ? "password" : await takeCode({ ...auth, db: tx }, user.id, code);
    if (!method) return { wrong: "code" };
    await noteBreakGlass(tx, policy, user);
    return { token: await openSession(tx, user.id, caller, method) };
  });
}

/**
 * Opens a session by a passkey, which is two factors by itself. A right one is never refused, because a
 * signature can't be guessed. Wrong ones count for the address.
 */
export async function signInByPasskey(
  auth: Auth,
  response: PasskeyResponse,
  site: Site,
  caller: Caller,
): Promise<string> {
  const use = await provenUse(auth, response, site);
  const token = use && (await enterByPasskey(auth, use, caller));
  if (token) return token;
  await throttled(auth, { ip: caller.ip });
  await recordFailure(auth, use?.user ?? null, "passkey");
  throw new Refusal("unauthenticated", {}, explain("session.passkey"));
}

/** In one transaction, so that a passkey that is removed meanwhile leaves no session behind. */
function enterByPasskey(auth: Auth, use: PasskeyUse, caller: Caller): Promise<string | null> {
  const { passkey, user, counter } = use;
  return auth.db.transaction().execute(async (tx) => {
    const isGood = (await holdActive(tx, user)) && (await notePasskeyUse(tx, passkey, counter));
    const row = isGood ? await findUser(tx, user) : null;
    if (!row) return null;
    const policy = await readPolicy(tx);
    if (mustUseProvider(policy, row)) throw providerRequired();
    await noteBreakGlass(tx, policy, row);
    return openSession(tx, user, caller, "passkey");
  });
}

/**
 * Completes a sign-in whose role requires a second factor that it has not shown: by a code, or by a passkey. A user without any adds one
 * instead (factors.ts). Wrong ones are counted like those of a sign-in. Whether a factor was shown: none is taken where none is lacking.
 */
export async function completeSignIn(
  auth: Auth,
  me: Identity,
  call: FactorCall,
  site: Site,
  deviceToken: string | null,
): Promise<boolean> {
  const { session, subject, lacksFactor } = me;
  if (!lacksFactor || session === null) return false;
  const attempt = await beginAttempt(auth, { user: subject.id });
  const device = await knownDevice(auth, subject.id, deviceToken);
  const guess =
    "code" in call ? await codeAttempt(auth, subject.id, call.code, { device, attempt }) : null;
  const use = "response" in call ? await provenUse(auth, call.response, site) : null;
  const isShown = await auth.db.transaction().execute(async (tx) => {
    if (!(await holdActive(tx, subject.id))) throw new Refusal("session_ended");
    const method =
      "code" in call
        ? await takeCode({ ...auth, db: tx }, subject.id, call.code)
        : use?.user === subject.id && (await notePasskeyUse(tx, use.passkey, use.counter));
    if (!method) return false;
    if (!(await noteFactorShown(tx, session))) throw new Refusal("session_ended");
    if ("response" in call) await noteProof(tx, session);
    const detail = { method: method === true ? "passkey" : method };
    await recordEvent(tx, { kind: "sign_in", actor: subject.id, detail });
    return true;
  });
  if (!isShown) {
    await recordFailure(auth, subject.id, "code" in call ? "code" : "passkey");
    throw new Refusal("second_factor_wrong");
  }
  await guess?.succeeded();
  await attempt.succeeded();
  auth.notifier.changed("session", session);
  return true;
}

/** A session for a user who used a one-time link: an invitation, set-up, or the demo's printed ones. */
export function startSession(
  { db }: Auth,
  user: string,
  caller: Caller,
  method: SignInMethod,
): Promise<string> {
  return db.transaction().execute((tx) => openSession(tx, user, caller, method));
}

/** Ends the session of an identity, if it has one. */
export async function signOut(
  { db, notifier }: Auth,
  { session, subject }: Identity,
): Promise<void> {
  if (!session) return;
  await db.transaction().execute(async (tx) => {
    if (!(await deleteSession(tx, session))) return;
    await recordEvent(tx, { kind: "signed_out", actor: subject.id });
  });
  notifier.changed("session", session);
}

/** These are, or end with, a second factor. */
const withFactor: ReadonlySet<SignInMethod> = new Set(["totp", "recovery", "passkey"]);

/**
 * A session for a user who has just proved their identity. Returns its token. Where the role requires a second factor and none was shown, it
 * lacks that, and does nothing until its user shows or adds one.
 */
export async function openSession(
  db: Db,
  user: string,
  caller: Caller,
  method: SignInMethod,
  {
    token = newToken(),
    at = null,
    isConfirmed = withFactor.has(method),
  }: { token?: string; at?: ProviderSession | null; isConfirmed?: boolean } = {},
): Promise<string> {
  const detail = { method, ...(at && { provider: at.provider }) };
  await recordEvent(db, { kind: "sign_in", actor: user, detail });
  const factorRoles = isConfirmed ? [] : (await readPolicy(db)).secondFactor;
  const session = { id: hashToken(token), user, ...caller };
  if (!(await insertSession(db, session, factorRoles, at))) throw notRight();
  return token;
}

function notRight(): Refusal {
  return new Refusal("unauthenticated", {}, explain("session.wrongPassword"));
}

/** The factors that can complete a sign-in; empty if the password is enough. */
function methodsOf({ totp, passkeys, recoveryCodes }: Factors): string[] {
  if (!totp && passkeys.length === 0) return [];
  return [
    ...(totp ? ["totp"] : []),
    ...(passkeys.length > 0 ? ["passkey"] : []),
    ...(recoveryCodes > 0 ? ["recovery"] : []),
  ];
}

async function takeCode(auth: Auth, user: string, code: string): Promise<SignInMethod | null> {
  if (await takeTotp(auth, user, code, "confirmed")) return "totp";
  return (await takeRecoveryCode(auth.db, user, code)) ? "recovery" : null;
}

/** The same work whether there is such a user or not. */
function recordFailure({ db }: Auth, user: string | null, reason: string): Promise<void> {
  const detail = { reason };
  return recordEvent(db, { kind: "sign_in_failed", actor: null, subject: user, detail });
}

/** Begins the check of a code. Too many are refused; the attempt that it belongs to was right so far. */
async function codeAttempt(
  auth: Auth,
  user: string,
  code: string,
  { device, attempt }: { device: string | null; attempt: Attempt },
): Promise<Attempt | null> {
  try {
    return await noted(auth, user, beginCode(auth, user, code, device));
  } catch (error) {
    await attempt.inconclusive();
    throw error;
  }
}

/** Begins an attempt. */
function throttled(
  auth: Auth,
  source: AttemptSource,
  user: string | null = null,
): Promise<Attempt> {
  return noted(auth, user, beginAttempt(auth, source));
}

/** Too many attempts are recorded once in the window. */
async function noted<Result>(
  { db }: Auth,
  user: string | null,
  attempt: Promise<Result>,
): Promise<Result> {
  try {
    return await attempt;
  } catch (error) {
    if (error instanceof Refusal && error.code === "rate_limited") {
      const throttledEvent = { kind: "sign_in_throttled", actor: null, subject: user } as const;
      await recordOnce(db, throttledEvent, SIGN_IN_WINDOW_MS);
    }
    throw error;
  }
}
