import { connectionAtom, editCountsAtom, editsStoredAtom } from "../../state/connection-state.ts";
import { useAtom } from "../../state/use-atom.ts";
import type { ConnectionFacts } from "./connection-view.ts";

/** Connection, health and unsent edits, for the status in the top bar and the offline bar. */
export function useConnectionFacts(): ConnectionFacts {
  const { kind, degraded, withoutStore } = useAtom(connectionAtom);
  const { waiting } = useAtom(editCountsAtom);
  return { phase: kind, degraded, withoutStore, waiting, stored: useAtom(editsStoredAtom) };
}
