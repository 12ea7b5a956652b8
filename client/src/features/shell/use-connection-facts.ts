import { useConnection, useEditCounts, useEditsStored } from "../../state/use-connection.ts";
import type { ConnectionFacts } from "./connection-view.ts";

/** Connection, health and waiting edits, as the pill and the bar put them into words. */
export function useConnectionFacts(): ConnectionFacts {
  const { kind, degraded } = useConnection();
  const { waiting } = useEditCounts();
  return { phase: kind, degraded, waiting, stored: useEditsStored() };
}
