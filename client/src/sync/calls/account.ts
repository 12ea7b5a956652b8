import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { SetupCall, SignInCall } from "../../../../shared/protocol/session.ts";
import { type Account, accountAtom, signOutAtom } from "../../state/account.ts";
import { editCountsAtom } from "../../state/connection-state.ts";
import { setInstallationZone } from "../../state/day-zone.ts";
import { store } from "../../state/store.ts";
import { clearTab } from "../../state/tab-storage.ts";
import { rest } from "../../transport/rest/rest.ts";
import { systemClock } from "../clock.ts";
import { retryMs } from "../connection/backoff.ts";
import { hasPageCore, pageCore } from "../page/page-core.ts";
import { WALLBOARD } from "../wallboards/wallboard-drafts.ts";

/**
 * Session and model: loaded once, refreshed when the server says that they changed. A session that
 * ends under an open page becomes `ended`, never `signedOut`, so that the page stays.
 */

/** Finds out whether set-up is needed, nobody is signed in, or who is signed in, and loads the model. */
export async function loadAccount(): Promise<void> {
  store.set(accountAtom, await detectAccount());
}

async function detectAccount(): Promise<Account> {
  try {
    return await loadSignedIn();
  } catch (error) {
    if (asRefusal(error).status !== 401) return { kind: "unreachable" };
  }
  try {
    const { needed } = await rest("GET /setup");
    return { kind: needed ? "setup" : "signedOut" };
  } catch {
    return { kind: "unreachable" };
  }
}

type SignedIn = Extract<Account, { kind: "signedIn" | "lacksFactor" }>;

async function loadSignedIn(): Promise<SignedIn> {
  const session = await rest("GET /session");
  if (session.lacksFactor) return { kind: "lacksFactor", session };
  const model = await rest("GET /model");
  setInstallationZone(model.zone ?? null);
  return { kind: "signedIn", data: { session, model } };
}

/** The refreshes so far, and the newest one whose answer is shown: an answer that comes after a newer one is out of date. */
const refreshes = { begun: 0, shown: 0 };

const REFRESH_RETRY = { baseMs: 1_000, maxMs: 30_000 };

/**
 * Loads abilities and model again, as after a `model` message. On failure the page keeps what it has, and tries again: nothing
 * else would say that it is out of date.
 */
export async function refreshAccount(attempt = 0): Promise<void> {
  if (!("data" in store.get(accountAtom))) return;
  refreshes.begun += 1;
  const turn = refreshes.begun;
  try {
    const account = await loadSignedIn();
    if (turn < refreshes.shown) return;
    refreshes.shown = turn;
    continueWith(account);
  } catch (error) {
    const refusal = asRefusal(error);
    if (refusal.status === 401) return endSession();
    const retry = () => void (turn === refreshes.begun && refreshAccount(attempt + 1));
    setTimeout(retry, retryMs(attempt, refusal.detail, REFRESH_RETRY, systemClock));
  }
}

/** The same user continues on the page; for another one it is left, because it shows what only the first may see. */
function continueWith(now: SignedIn): void {
  const before = store.get(accountAtom);
  const { user } = now.kind === "lacksFactor" ? now.session : now.data.session;
  if (!("data" in before) || before.data.session.user.id === user.id) store.set(accountAtom, now);
  else leavePage("/");
}

/** Signs in, also under the sheet of an ended session; throws the refusal for the form to show. */
export async function signIn(body: SignInCall): Promise<void> {
  await rest("POST /session", { body });
  store.set(accountAtom, await loadSignedIn());
}

/** The browser has a session now: the page goes on with it, or is left where it is somebody else's. */
export async function continueSignedIn(): Promise<void> {
  if (store.get(accountAtom).kind === "ended") await resumeSession();
  else store.set(accountAtom, await loadSignedIn());
}

/** Signs out and stops the client core. The caller leaves the page by a full navigation. */
export async function signOut(): Promise<void> {
  const { location } = await rest("POST /session/end");
  for (const document of unsavedDocuments()) pageCore().documents.put(document, () => null);
  leavePage(location ?? "/login");
}

/** Leaves the page of a user who is signed out. Drafts that they have not discarded stay stored, for them alone. */
function leavePage(address: string): void {
  clearTab();
  location.assign(address);
}

/** Leaves at once, or asks first where edits still wait in this browser or unsaved changes would be discarded. */
export function requestSignOut(): void {
  const mustAsk = store.get(editCountsAtom).waiting > 0 || hasUnsavedDrafts();
  store.set(signOutAtom, mustAsk ? "asked" : "going");
}

/** Whether this tab holds unsaved changes to roles or to the model, which signing out discards. */
export function hasUnsavedDrafts(): boolean {
  return unsavedDocuments().length > 0;
}

/** Edits of wallboards are sent by the next page of their author. */
function unsavedDocuments(): string[] {
  const documents = hasPageCore() ? pageCore().documents.documents() : [];
  return documents.filter((document) => !document.startsWith(WALLBOARD));
}

/** Creates the owner and the tables of the template; the answer is a signed-in owner. */
export async function setUp(body: SetupCall): Promise<void> {
  await rest("POST /setup", { body });
  try {
    store.set(accountAtom, await loadSignedIn());
  } catch {
    await signIn({ email: body.email, password: body.password });
  }
}

/** Checks whether another tab has signed in meanwhile. */
export async function resumeSession(): Promise<void> {
  if (store.get(accountAtom).kind !== "ended") return;
  const now = await loadSignedIn().catch(() => null);
  if (now) continueWith(now);
}

/** The server no longer knows this session: keep the page and ask for a new one. */
export function endSession(): void {
  const account = store.get(accountAtom);
  if (store.get(signOutAtom) === "going") return;
  if (account.kind === "signedIn") store.set(accountAtom, { kind: "ended", data: account.data });
}

function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal("internal");
}
