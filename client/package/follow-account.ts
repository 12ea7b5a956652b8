import type { AtomStore } from "../src/state/atom-store.ts";
import { modelUpdatesAtom, onReturn } from "../src/state/connection-state.ts";
import type { Ending } from "./ending.ts";
import { untilAnswered } from "./retry.ts";

/**
 * Loads the account again whenever rights or the model may have changed: when the server says so, and after a lost connection,
 * during which it could not. One load at a time; the last one began after the last change.
 */
export function followAccount<Account>(
  { store, ending }: { store: AtomStore; ending: Ending },
  load: () => Promise<Account>,
  use: (account: Account) => void,
): void {
  let isStale = false;
  let isLoading = false;
  const refresh = async () => {
    isStale = true;
    if (isLoading) return;
    isLoading = true;
    try {
      while (isStale && !ending.isOver) {
        isStale = false;
        const account = await untilAnswered(ending, load);
        if (!ending.isOver) use(account);
      }
    } catch {
      // Refused for good: the connection ends, too.
    } finally {
      isLoading = false;
    }
  };
  store.sub(modelUpdatesAtom, () => void refresh());
  onReturn(store, () => void refresh());
}
