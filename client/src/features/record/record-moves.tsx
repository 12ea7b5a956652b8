import { findField, type Table } from "../../../../shared/model/model.ts";
import { governedBy, lockedFields } from "../../../../shared/model/state-of.ts";
import { movesOf } from "../../../../shared/policy/possible-transitions.ts";
import type { RecordView } from "../../state/record-view.ts";
import { useMover } from "../../state/use-mover.ts";
import { isNewRecord } from "../../sync/edits/build-view.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { runMove } from "../../sync/page/run-move.ts";
import { ValueMark } from "../../ui/fields/value-mark.tsx";
import { MoveList } from "../../ui/moves/move-list.tsx";
import { useMoves } from "../../ui/moves/use-moves.tsx";
import classes from "./record-moves.module.css";

/** The state of the record and the moves that lead on from it. Nothing where the table has no workflow. */
export function RecordMoves({ table, record }: { table: Table; record: RecordView }) {
  const mover = useMover(table.name);
  const labels = pageLabels();
  const { begin, dialog } = useMoves({ table, lookUp: labels, run: runMove });
  const governed = governedBy(table);
  const field = governed && findField(table, governed.stateField);
  if (!field || record.mark === "deleted" || isNewRecord(record)) return null;
  const locks = lockWords(table, record);
  return (
    <section className={classes.moves} aria-label="State and moves">
      <div className={classes.state}>
        <ValueMark field={field} value={record.values[field.name]} lookUp={labels} />
        {record.pending === "transition" && <span className={classes.pending}>not saved yet</span>}
      </div>
      <MoveList
        table={table}
        field={field}
        moves={movesOf(table, record, mover)}
        onPick={(move) => begin(record, [move])}
      />
      {locks && <p className={classes.locks}>{locks}</p>}
      {dialog}
    </section>
  );
}

/** What the present state locks, in a sentence; null where that is nothing. */
function lockWords(table: Table, { values }: RecordView): string | null {
  const locked = lockedFields(table, values);
  if (locked.length === 0) return null;
  if (locked.length >= table.fields.length - 1) return "Its fields are locked in this state.";
  const labels = locked.map((name) => findField(table, name)?.label ?? name);
  return `Locked in this state: ${labels.join(", ")}.`;
}
