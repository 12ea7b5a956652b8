import { atom } from "jotai/vanilla";
import type { Model } from "../../../shared/model/model.ts";
import type { SessionInfo } from "../../../shared/protocol/session.ts";

/** What a signed-in page works with: the session with its abilities, and the model. */
export interface AccountData {
  session: SessionInfo;
  model: Model;
}

/**
 * Whether somebody is signed in on this page. `ended` keeps the data: the page stays mounted under a sign-in dialog,
 * so that typed text is not lost.
 */
export type Account =
  | { kind: "loading" }
  | { kind: "unreachable" }
  | { kind: "setup" }
  | { kind: "signedOut" }
  /** Signed in, but for the second factor that the role requires. */
  | { kind: "lacksFactor"; session: SessionInfo }
  | { kind: "signedIn"; data: AccountData }
  | { kind: "ended"; data: AccountData };

export const accountAtom = atom<Account>({ kind: "loading" });

/** `asked` while the user decides about unsent edits and unsaved changes, then `going`. */
export type SignOutPhase = "no" | "asked" | "going";

export const signOutAtom = atom<SignOutPhase>("no");
