import { useAtom } from "./use-atom.ts";
import { userUpdatesAtom } from "./user-updates.ts";

/** A counter that changes with every update of users, roles or their events. */
export function useUserUpdates(): number {
  return useAtom(userUpdatesAtom);
}
