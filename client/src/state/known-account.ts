import { type AccountData, accountAtom } from "./account.ts";
import { store } from "./store.ts";

/** The signed-in user's session and model, outside React; null before they are known. */
export function knownAccountData(): AccountData | null {
  const account = store.get(accountAtom);
  return "data" in account ? account.data : null;
}
