import { startTransition, useEffect, useMemo, useState } from "react";
import type { RecordView } from "../../state/record-view.ts";
import { recordAtom } from "../../state/table-state.ts";
import { readAtom, watchAtom } from "../../state/watch-atom.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { problemText } from "../../ui/problem-text.ts";

/** What the panel shows: a loader, the live record, that it is missing, or why it can't be loaded. */
export type OpenRecordState =
  | { kind: "loading" }
  | { kind: "shown"; record: RecordView }
  | { kind: "missing" }
  | { kind: "failed"; message: string };

/**
 * Loads a record while the panel shows it, and follows it live. A new record that the server gives another id stays as it
 * was until it is loaded by that id.
 */
export function useOpenRecord(table: string, record: string): OpenRecordState {
  const [state, setState] = useState<OpenRecordState>({ kind: "loading" });
  useEffect(() => {
    const session = pageCore().openTable(table);
    let current = true;
    session.hold(record).then(
      (view) => {
        if (current) setState(view ? { kind: "shown", record: view } : { kind: "missing" });
      },
      (error: unknown) => {
        if (current) setState({ kind: "failed", message: problemText(error) });
      },
    );
    return () => {
      current = false;
      session.release(record);
      session.close();
    };
  }, [table, record]);
  const live = useLiveRecord(table, record);
  const [last, setLast] = useState<RecordView>();
  if (live && live !== last) setLast(live);
  if (live) return { kind: "shown", record: live };
  if (state.kind !== "shown" || last === undefined) return state;
  if (state.record.id !== record) return { kind: "shown", record: last };
  // A draft that was shown and is gone was discarded.
  return state.record.version === null ? { kind: "missing" } : state;
}

/**
 * The record as it is now. What the user does shows at once; changes by others are rendered between frames and keys, which
 * they would delay where a record changes many times a second.
 */
function useLiveRecord(table: string, record: string): RecordView | undefined {
  const atom = useMemo(() => recordAtom(table, record), [table, record]);
  const [shown, setShown] = useState(() => ({ atom, view: readAtom(atom) }));
  useEffect(() => {
    const update = (view: RecordView | undefined) => setShown({ atom, view });
    update(readAtom(atom));
    return watchAtom(atom, (view) => {
      const isMine = view !== undefined && view.confirmed !== null;
      if (isMine) update(view);
      else startTransition(() => update(view));
    });
  }, [atom]);
  return shown.atom === atom ? shown.view : readAtom(atom);
}
