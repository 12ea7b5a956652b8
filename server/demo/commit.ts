import type { Saved, TableRecord, Watchfloor } from "../../client/package/index.ts";
import type { Table, Values } from "../../shared/model/model.ts";
import { pickValues } from "../../shared/model/pick-values.ts";
import { governedBy, stateOf } from "../../shared/model/state-of.ts";

export type Incidents = ReturnType<Watchfloor["table"]>;

/**
 * Commits a simulated edit: a change of state by its transition if the table has a workflow, all else as an
 * update. The base is what the user saw at the start: if somebody was faster, that edit stays. Null if there
 * is nothing left to do.
 */
export async function commit(
  incidents: Incidents,
  table: Table,
  row: TableRecord,
  requested: Values,
): Promise<Saved | null> {
  const governed = governedBy(table);
  const from = stateOf(table, row.values);
  const to = governed && requested[governed.stateField];
  if (!governed || to === undefined || to === from) return update(incidents, row, requested);
  const { [governed.stateField]: _state, ...others } = requested;
  const transition = governed.workflow.transitions.find(
    (one) => one.to === to && one.from.includes(String(from)),
  );
  if (!transition) return update(incidents, row, others);
  const sets = transition.sets ?? {};
  const set = pickValues(others, (name) => !(name in sets));
  return incidents.transition(row, transition.name, {
    from: String(from),
    set,
    ...(transition.reason ? { reason: "It came back." } : {}),
  });
}

async function update(incidents: Incidents, row: TableRecord, set: Values): Promise<Saved | null> {
  return Object.keys(set).length === 0 ? null : incidents.update(row, set);
}
