import { startTransition, useEffect, useState } from "react";
import type { HistoryEntry } from "../../../../../shared/protocol/records.ts";
import { onUpdate } from "../../../state/updates.ts";
import { readHistory } from "../../../sync/calls/record-history.ts";
import { problemText } from "../../../ui/problem-text.ts";
import { RemoteReader } from "../../../ui/remote-reader.ts";

/** Changes in quick succession are read together. */
const READ_DELAY_MS = 250;

export type HistoryState =
  | { kind: "loading" }
  | { kind: "shown"; entries: HistoryEntry[] }
  | { kind: "failed"; message: string };

/**
 * The history of a record once it is wanted, read again whenever the record has a new version, and after the connection
 * was lost.
 */
export function useHistory(
  table: string,
  record: string,
  version: string | null,
  isWanted: boolean,
): HistoryState {
  const [state, setState] = useState<HistoryState>({ kind: "loading" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is the reason to read.
  useEffect(() => {
    if (!isWanted) return;
    const show = (next: HistoryState) => startTransition(() => setState(next));
    const reader = new RemoteReader({
      load: () => readHistory(table, record),
      onData: (entries) => show({ kind: "shown", entries }),
      onError: (error) => show({ kind: "failed", message: problemText(error) }),
    });
    const timer = setTimeout(() => reader.restart(), READ_DELAY_MS);
    const stop = onUpdate([], () => reader.restart());
    return () => {
      clearTimeout(timer);
      stop();
      reader.stop();
    };
  }, [table, record, version, isWanted]);
  return state;
}
