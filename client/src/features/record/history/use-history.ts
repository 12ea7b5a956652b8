import { startTransition, useEffect, useState } from "react";
import type { HistoryEntry } from "../../../../../shared/protocol/history.ts";
import { readHistory } from "../../../sync/calls/record-history.ts";
import { problemText } from "../../../ui/problem-text.ts";

/** Changes in quick succession are read together. */
const READ_DELAY_MS = 250;

export type HistoryState =
  | { kind: "loading" }
  | { kind: "shown"; entries: HistoryEntry[] }
  | { kind: "failed"; message: string };

/** The history of a record once it is wanted, read again whenever the record has a new version. */
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
    let current = true;
    const setIfCurrent = (next: HistoryState) => {
      if (current) startTransition(() => setState(next));
    };
    const timer = setTimeout(() => {
      readHistory(table, record).then(
        (entries) => setIfCurrent({ kind: "shown", entries }),
        (error: unknown) =>
          setIfCurrent({
            kind: "failed",
            message: problemText(error),
          }),
      );
    }, READ_DELAY_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [table, record, version, isWanted]);
  return state;
}
