import { useAtom } from "./use-atom.ts";
import { userUpdatesAtom } from "./user-updates.ts";

/** Another number each time that something was done to people or roles, or was written down of them. */
export function useUserUpdates(): number {
  return useAtom(userUpdatesAtom);
}
