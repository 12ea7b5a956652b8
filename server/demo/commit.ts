import type { RecordView } from "../../client/src/state/record-view.ts";
import type { PendingEdits, SubmittedEdit } from "../../client/src/sync/edits/pending-edits.ts";
import type { Table, Values } from "../../shared/model/model.ts";
import { governedBy, stateOf } from "../../shared/model/state-of.ts";

/**
 * Commits a simulated edit: a change of state by its transition if the table has a workflow, all else as an
 * update. The base is what the user saw at the start: if somebody was faster, that edit stays. Null if there
 * is nothing left to do.
 */
export function commit(
  edits: PendingEdits,
  table: Table,
  row: RecordView,
  requested: Values,
): SubmittedEdit | null {
  const governed = governedBy(table);
  const from = stateOf(table, row.values);
  const to = governed && requested[governed.stateField];
  if (!governed || to === undefined || to === from) return plain(edits, table, row, requested);
  const { [governed.stateField]: _state, ...others } = requested;
  const transition = governed.workflow.transitions.find(
    (one) => one.to === to && one.from.includes(String(from)),
  );
  if (!transition) return plain(edits, table, row, others);
  const sets = transition.sets ?? {};
  const set = Object.fromEntries(Object.entries(others).filter(([name]) => !(name in sets)));
  return edits.transition(table.name, row.id, {
    transition: transition.name,
    from: String(from),
    set,
    base: baseOf(row, set),
    ...(transition.reason ? { reason: "It came back." } : {}),
  });
}

function plain(
  edits: PendingEdits,
  table: Table,
  row: RecordView,
  set: Values,
): SubmittedEdit | null {
  if (Object.keys(set).length === 0) return null;
  return edits.edit(table.name, { record: row.id, set, base: baseOf(row, set) });
}

function baseOf({ values }: RecordView, set: Values): Values {
  return Object.fromEntries(Object.keys(set).map((name) => [name, values[name] ?? null]));
}
