import { atom } from "jotai/vanilla";
import type { Model } from "../../../shared/model/model.ts";
import type { SessionInfo } from "../../../shared/protocol/session-info.ts";

/** What a signed-in page stands on: who I am, what I may do, and the model. */
export interface AccountData {
  session: SessionInfo;
  model: Model;
}

/**
 * Where this browser stands with the server. `ended` keeps the desk: the page stays as it is under
 * a sign-in sheet, so that nothing typed is lost.
 */
export type Account =
  | { kind: "loading" }
  | { kind: "unreachable"; message: string }
  | { kind: "setup" }
  | { kind: "signedOut" }
  | { kind: "signedIn"; data: AccountData }
  | { kind: "ended"; data: AccountData };

export const accountAtom = atom<Account>({ kind: "loading" });

/** On the way out: `asked` while the person decides about edits that wait, then `going`. */
export type SignOutPhase = "no" | "asked" | "going";

export const signOutAtom = atom<SignOutPhase>("no");
