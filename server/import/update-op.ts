import type { Table, Values } from "../../shared/model/model.ts";
import { valuesOf } from "../../shared/model/pick-values.ts";
import { governedBy, stateOf } from "../../shared/model/state-of.ts";
import { type Transition, transitionBetween } from "../../shared/model/workflow.ts";
import type { Op } from "../commands/op.ts";
import type { KnownRecord } from "./recognise.ts";

/** The reason given in a file's name if a transition requires one. */
const IMPORT_REASON = "Imported from a file.";

/**
 * The op that changes a record to its row's values. Another state is reached by a transition, as for any
 * other user; if there is none, the plain write is sent and refused with its reason. The file's own values
 * for fields that the transition would set are included.
 */
export function updateOp(table: Table, known: KnownRecord, set: Values, row: Values): Op {
  const target = transitionTo(table, known.values, set);
  const at = { table: table.name, record: known.id };
  if (!target) return { op: "update", ...at, set, base: valuesOf(known.values, Object.keys(set)) };
  const { transition, stateField, from } = target;
  const givenFields = Object.keys(transition.sets ?? {}).filter((name) => row[name] !== undefined);
  const names = [...new Set([...Object.keys(set), ...givenFields])].filter(
    (name) => name !== stateField,
  );
  return {
    op: "transition",
    ...at,
    transition: transition.name,
    from,
    set: valuesOf(row, names),
    base: valuesOf(known.values, names),
    ...(transition.reason && { reason: IMPORT_REASON }),
  };
}

function transitionTo(
  table: Table,
  stored: Values,
  set: Values,
): { transition: Transition; stateField: string; from: string } | null {
  const governed = governedBy(table);
  const to = governed && set[governed.stateField];
  const from = stateOf(table, stored);
  if (!governed || typeof to !== "string" || typeof from !== "string") return null;
  const { stateField, workflow } = governed;
  const transition = transitionBetween(workflow, from, to);
  return transition ? { transition, stateField, from } : null;
}
