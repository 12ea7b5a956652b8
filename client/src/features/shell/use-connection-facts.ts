import { useConnection, useEditCounts, useEditsStored } from "../../state/use-connection.ts";
import type { ConnectionFacts } from "./connection-view.ts";

/** Connection, health and unsent edits, for the status in the top bar and the offline bar. */
export function useConnectionFacts(): ConnectionFacts {
  const { kind, degraded } = useConnection();
  const { waiting } = useEditCounts();
  return { phase: kind, degraded, waiting, stored: useEditsStored() };
}
