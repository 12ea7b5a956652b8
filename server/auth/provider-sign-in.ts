import { explain } from "../../shared/error-texts/explain.ts";
import { explainSignIn } from "../../shared/error-texts/sign-in-texts.ts";
import { found, Refusal } from "../../shared/protocol/errors.ts";
import type { LinkedAccount, SignInMethods } from "../../shared/protocol/identity-providers.ts";
import {
  claimLogoutToken,
  claimVisit,
  deleteLinkedAccount,
  findLinkedUser,
  findProblem,
  hasPassword,
  insertVisit,
  listLinkedAccounts,
  listProviders,
  noteProblem,
  type VisitRow,
} from "../store/users/identity-providers.ts";
import { findUserOfLink } from "../store/users/links.ts";
import {
  deleteProviderSessions,
  findProviderOf,
  findSession,
  noteProofAt,
} from "../store/users/sessions.ts";
import { holdActive } from "../store/users/users.ts";
import type { Auth } from "./create-auth.ts";
import type { Identity } from "./identity.ts";
import { redirectUriOf, requirePublicUrl, usableProvider } from "./identity-providers.ts";
import { provePassword } from "./passwords.ts";
import { confirmsFactor, linkAccount, userOfAccount } from "./provider-accounts.ts";
import type { Provider, ProviderClaims } from "./provider-client.ts";
import { recordEvent } from "./security-log.ts";
import { type Caller, openSession, signOut } from "./sign-in.ts";
import { mustUseProvider, readPolicy } from "./sign-in-policy.ts";
import { hashToken, newToken } from "./tokens.ts";

/**
 * A browser's way to a provider and back: to sign in, to prove again who somebody is, or to link an account. A visit is a row, valid
 * once, for ten minutes, and only in the browser that began it: its cookie is the other half of the state that the provider sends back.
 * So an address with a stolen or planted code signs nobody in elsewhere. What a visit is for is in the row and not in the address, and
 * proofs and links begin by a call of our own pages, so that no other site can begin one. A page to come back to is a path of this server.
 *
 * Provider's orders to sign out (back-channel logout) come without a browser: their signature is the proof, and each is obeyed once.
 */

export const VISIT_TTL_MS = 600_000;
/** How long a page can read why its visit was refused. */
const PROBLEM_TTL_MS = 300_000;
/** The page that says why. */
const FAILED = "/sign-in-failed";
/** The same, which leads on to what was asked for. */
const failedOn = (returnTo: string) =>
  returnTo === "/" ? FAILED : `${FAILED}?next=${encodeURIComponent(returnTo)}`;
/** A provider's clock may be behind by this much when it says when somebody proved who they are. */
const CLOCK_TOLERANCE_MS = 60_000;

/** What begins a visit. */
interface VisitInput {
  provider: string;
  purpose: VisitRow["purpose"];
  returnTo: string | undefined;
  /** The value of the browser's cookie, if it has one. */
  browser: string | null;
  session?: string | null;
  /** The token of an invitation. */
  invitation?: string;
  /** To choose another account at the provider than the one that the browser has there. */
  asksAccount?: boolean;
}

/** Where the browser goes, and the value of its cookie. */
export interface BegunVisit {
  location: string;
  browser: string;
}

/** Begins a visit: the address at the provider. */
export async function beginVisit(auth: Auth, input: VisitInput): Promise<BegunVisit> {
  const provider = await usableProvider(auth, input.provider);
  const browser = input.browser ?? newToken();
  const [state, nonce, verifier] = [newToken(), newToken(), newToken()];
  const location = await auth.providers.authorizationUrl(provider, {
    ...{ redirectUri: redirectUriOf(requirePublicUrl(auth), provider.id), state, nonce, verifier },
    prompt: input.purpose === "proof" ? "anew" : input.asksAccount ? "account" : null,
  });
  await insertVisit(auth.db, {
    ...{ id: hashToken(state), browser: hashToken(browser), provider: provider.id },
    ...{ purpose: input.purpose, nonce, verifier, return_to: ownPath(input.returnTo) },
    session: input.session ?? null,
    invitation: input.invitation === undefined ? null : hashToken(input.invitation),
  });
  return { location, browser };
}

/**
 * Begins a sign-in by an address that a browser has opened. The page that it is led to says why one can't begin. After an account was refused
 * the provider asks for another one: else it would send the same again, without a question. Not after a confirmation that failed: the account is right.
 */
export async function beginSignIn(
  auth: Auth,
  call: { provider: string; returnTo: string | undefined; browser: string | null },
  onError: (error: unknown) => Refusal,
): Promise<BegunVisit> {
  try {
    const last = await problemOf(auth, call.browser);
    const asksAccount = last?.purpose === "sign_in" && last.problem?.code === "forbidden";
    return await beginVisit(auth, { ...call, purpose: "sign_in", asksAccount });
  } catch (error) {
    const refusal = onError(error);
    const [browser, id] = [call.browser ?? newToken(), hashToken(newToken())];
    await insertVisit(auth.db, {
      ...{ id, browser: hashToken(browser), provider: "", purpose: "sign_in", return_to: "/" },
      ...{ session: null, invitation: null, nonce: "", verifier: "" },
    });
    await noteProblem(auth.db, id, refusal.toBody());
    return { location: failedOn(ownPath(call.returnTo)), browser };
  }
}

/** Begins a sign-in that accepts an invitation. */
export async function beginInvited(
  auth: Auth,
  token: string,
  provider: string,
  browser: string | null,
): Promise<BegunVisit> {
  const link = { id: hashToken(token), maxAgeMs: auth.limits.INVITATION_TTL_MS };
  if (!(await findUserOfLink(auth.db, "invitation", { ...link, status: "invited" }))) {
    throw new Refusal("not_found", {}, explain("user.invitationGone"));
  }
  return beginVisit(auth, {
    provider,
    purpose: "sign_in",
    returnTo: "/",
    browser,
    invitation: token,
  });
}

/** Begins to link an account, by the signed-in user who has proved their password. */
export async function beginLink(
  auth: Auth,
  me: Identity,
  call: { provider: string; password: string; returnTo?: string | undefined },
  browser: string | null,
): Promise<BegunVisit> {
  await provePassword(auth, me, call.password);
  const { provider, returnTo } = call;
  return beginVisit(auth, { provider, purpose: "link", returnTo, browser, session: me.session });
}

/** The end of a visit: where the browser goes on, and the token of the session that it opened, if any. */
export interface EndedVisit {
  location: string;
  session: string | null;
}

/** Ends a visit by the address that the browser has come back to. A refusal is stored for its page, and recorded. */
export async function endVisit(
  auth: Auth,
  call: {
    provider: string;
    address: URL;
    browser: string | null;
    caller: Caller;
    former: Identity | null;
  },
  onError: (error: unknown) => Refusal,
): Promise<EndedVisit> {
  const visit = await claimed(auth, call);
  if (!visit) return { location: FAILED, session: null };
  try {
    const provider = await usableProvider(auth, visit.provider);
    const claims = await auth.providers.exchange(provider, call.address, {
      state: call.address.searchParams.get("state") ?? "",
      ...{ nonce: visit.nonce, verifier: visit.verifier },
    });
    const session = await finish[visit.purpose](auth, { ...call, provider, claims, visit });
    return { location: visit.return_to, session };
  } catch (error) {
    const refusal = onError(error);
    await noteProblem(auth.db, visit.id, refusal.toBody());
    const { reason = refusal.code } = refusal.detail;
    const detail = { reason: String(reason), provider: visit.provider };
    await recordEvent(auth.db, { kind: "sign_in_failed", actor: null, detail });
    return { location: failedOn(visit.return_to), session: null };
  }
}

/** The providers to sign in by, and why the last visit of this browser was refused. */
export async function signInMethods(auth: Auth, browser: string | null): Promise<SignInMethods> {
  const rows = auth.publicUrl === undefined ? [] : await listProviders(auth.db);
  const last = await problemOf(auth, browser);
  return { providers: rows.map(({ id, name }) => ({ id, name })), problem: last?.problem ?? null };
}

const problemOf = async ({ db }: Auth, browser: string | null) =>
  browser === null ? null : findProblem(db, hashToken(browser), PROBLEM_TTL_MS);

/** Signs out here, and returns the address at which the provider signs out; null if there is none. */
export async function signOutEverywhere(auth: Auth, me: Identity): Promise<string | null> {
  const at = me.session === null ? null : await findProviderOf(auth.db, me.session);
  await signOut(auth, me);
  if (!at?.provider || auth.publicUrl === undefined) return null;
  const idToken = at.id_token && auth.box.decrypt(at.id_token, tokenOwner(me.session ?? ""));
  try {
    const provider = await usableProvider(auth, at.provider);
    return await auth.providers.endSessionUrl(provider, idToken || null, `${auth.publicUrl}/login`);
  } catch {
    // The user is signed out here, whatever the provider does.
    return null;
  }
}

/** Ends the sessions that a provider orders to end; false if the order is not its own, or was obeyed before. */
export async function obeyLogout(auth: Auth, id: string, token: string): Promise<boolean> {
  const provider = await usableProvider(auth, id);
  const order = await auth.providers.readLogoutToken(provider, token);
  if (!order) return false;
  const { issuer, jti, sid, subject } = order;
  const ended = await auth.db.transaction().execute(async (tx) => {
    if (!(await claimLogoutToken(tx, hashToken(JSON.stringify([issuer, jti]))))) return null;
    const ended = await deleteProviderSessions(tx, { issuer, sid, subject });
    for (const user of new Set(ended.map(({ user_id }) => user_id))) {
      const detail = { ended: ended.length, provider: provider.id };
      await recordEvent(tx, { kind: "sessions_ended", actor: null, subject: user, detail });
    }
    return ended;
  });
  for (const session of ended ?? []) auth.notifier.changed("session", session.id);
  return ended !== null;
}

/** The accounts that a user has linked. */
export async function linkedAccounts({ db }: Auth, me: Identity): Promise<LinkedAccount[]> {
  return (await listLinkedAccounts(db, me.subject.id)).map(
    ({ created_at: createdAt, last_used: lastUsed, ...row }) => ({ ...row, createdAt, lastUsed }),
  );
}

/** Unlinks an account; refuses the only way in. */
export async function unlinkAccount({ db }: Auth, me: Identity, id: string): Promise<void> {
  const user = me.subject.id;
  await db.transaction().execute(async (tx) => {
    if (!(await holdActive(tx, user))) throw new Refusal("session_ended");
    const provider = found(await deleteLinkedAccount(tx, user, id));
    const isLast = (await listLinkedAccounts(tx, user)).length === 0;
    const { role } = me.subject;
    const mustStay =
      !(await hasPassword(tx, user)) ||
      mustUseProvider(await readPolicy(tx), { id: user, role: role.id });
    if (isLast && mustStay) {
      throw new Refusal("validation_failed", {}, explainSignIn("provider.lastLink"));
    }
    await recordEvent(tx, { kind: "account_unlinked", actor: user, detail: { provider } });
  });
}

interface Finished {
  provider: Provider;
  claims: ProviderClaims;
  visit: VisitRow;
  caller: Caller;
  former: Identity | null;
}

const finish: Record<VisitRow["purpose"], (auth: Auth, end: Finished) => Promise<string | null>> = {
  async sign_in(auth, { provider, claims, visit, caller, former }) {
    const opened = await auth.db.transaction().execute(async (tx) => {
      const user = await userOfAccount(tx, provider, claims, visit.invitation);
      const token = newToken();
      const { issuer, subject, sid, authTime, idToken } = claims;
      await openSession(tx, user.id, caller, "provider", {
        token,
        at: {
          ...{ provider: provider.id, issuer, subject, providerSession: sid },
          idToken: auth.box.encrypt(idToken, tokenOwner(hashToken(token))),
          provenAt: authTime === null ? null : new Date(authTime * 1_000).toISOString(),
        },
        isConfirmed: confirmsFactor(provider, claims),
      });
      return { token, user: user.id };
    });
    auth.notifier.changed("user", opened.user);
    if (former) await signOut(auth, former);
    return opened.token;
  },

  async proof(auth, { provider, claims, visit, former }) {
    const me = await sameSession(auth, visit, former);
    if ((await findLinkedUser(auth.db, claims)) !== me.subject.id) {
      throw new Refusal(
        "forbidden",
        { reason: "notMine" },
        explainSignIn("provider.notMine", { provider: provider.name }),
      );
    }
    if (claims.authTime === null) {
      throw new Refusal(
        "forbidden",
        { reason: "noTime" },
        explainSignIn("provider.noTime", { provider: provider.name }),
      );
    }
    const provenAt = claims.authTime * 1_000;
    if (provenAt < Date.parse(visit.created_at) - CLOCK_TOLERANCE_MS) {
      throw new Refusal(
        "forbidden",
        { reason: "tooOld" },
        explainSignIn("provider.tooOld", { provider: provider.name }),
      );
    }
    if (!(await noteProofAt(auth.db, visit.session ?? "", new Date(provenAt).toISOString()))) {
      throw new Refusal("session_ended");
    }
    return null;
  },

  async link(auth, { provider, claims, visit, former }) {
    const me = await sameSession(auth, visit, former);
    await auth.db.transaction().execute(async (tx) => {
      if (!(await holdActive(tx, me.subject.id))) throw new Refusal("session_ended");
      await linkAccount(tx, provider, claims, me.subject.id);
    });
    return null;
  },
};

/** The session that began the visit is still open, and is the one of this browser. */
async function sameSession(
  auth: Auth,
  visit: VisitRow,
  former: Identity | null,
): Promise<Identity> {
  const isSame = former?.session != null && former.session === visit.session;
  if (!isSame || !(await findSession(auth.db, former.session ?? "", auth.sessions))) {
    throw new Refusal("session_ended");
  }
  return former;
}

async function claimed(
  { db }: Auth,
  { provider, address, browser }: { provider: string; address: URL; browser: string | null },
): Promise<VisitRow | null> {
  const state = address.searchParams.get("state");
  if (!state || browser === null) return null;
  const visit = { id: hashToken(state), browser: hashToken(browser), provider };
  return claimVisit(db, { ...visit, maxAgeMs: VISIT_TTL_MS });
}

const tokenOwner = (session: string) => `session:${session}`;

/** A path of this server, as a browser reads it; else the first page. Backslashes and control characters begin another host in some. */
export function ownPath(path: string | undefined): string {
  if (path === undefined || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)) return "/";
  const own = "https://own.invalid";
  if (!URL.canParse(path, own)) return "/";
  const { origin, pathname, search, hash } = new URL(path, own);
  return origin === own && !pathname.startsWith("//") ? pathname + search + hash : "/";
}
