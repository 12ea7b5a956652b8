import { connectionAtom, editCountsAtom } from "./connection-state.ts";
import { useAtom } from "./use-atom.ts";

/** Whether the server has answered every edit of the user, and the page is sent every change. */
export function useUpToDate(): boolean {
  const { waiting } = useAtom(editCountsAtom);
  const { kind } = useAtom(connectionAtom);
  return waiting === 0 && kind === "live";
}
