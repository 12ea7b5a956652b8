import type { RecordView } from "../../client/src/state/record-view.ts";
import type { PendingEdits, TakenEdit } from "../../client/src/sync/edits/pending-edits.ts";
import type { Table, Values } from "../../shared/model/model.ts";
import { governedBy, stateOf } from "../../shared/model/state-of.ts";

/**
 * Commits what a colleague wants to write: a change of state by its transition where the table has a
 * workflow, all else as an edit. What they saw when they began is the base: if somebody was faster,
 * that one stays. Null where nothing is left to do.
 */
export function commit(
  edits: PendingEdits,
  table: Table,
  row: RecordView,
  wanted: Values,
): TakenEdit | null {
  const governed = governedBy(table);
  const from = stateOf(table, row.values);
  const to = governed && wanted[governed.stateField];
  if (!governed || to === undefined || to === from) return plain(edits, table, row, wanted);
  const { [governed.stateField]: _state, ...others } = wanted;
  const move = governed.workflow.transitions.find(
    (one) => one.to === to && one.from.includes(String(from)),
  );
  if (!move) return plain(edits, table, row, others);
  const sets = move.sets ?? {};
  const set = Object.fromEntries(Object.entries(others).filter(([name]) => !(name in sets)));
  return edits.transition(table.name, row.id, {
    transition: move.name,
    from: String(from),
    set,
    base: baseOf(row, set),
    ...(move.reason ? { reason: "It came back." } : {}),
  });
}

function plain(edits: PendingEdits, table: Table, row: RecordView, set: Values): TakenEdit | null {
  if (Object.keys(set).length === 0) return null;
  return edits.edit(table.name, { record: row.id, set, base: baseOf(row, set) });
}

function baseOf({ values }: RecordView, set: Values): Values {
  return Object.fromEntries(Object.keys(set).map((name) => [name, values[name] ?? null]));
}
