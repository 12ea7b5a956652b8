import { explain } from "../../shared/error-texts/explain.ts";
import { findTable, type Values } from "../../shared/model/model.ts";
import { valuesOf } from "../../shared/model/pick-values.ts";
import { governedBy, stateOf } from "../../shared/model/state-of.ts";
import type { BulkEdit } from "../../shared/protocol/change-sets.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Identity } from "../auth/identity.ts";
import type { ChangeSetContext } from "./change-set-context.ts";

/**
 * Writes one op for each record that matches and that the author can read, on the base of what it holds now. Fields that the
 * author can't see are refused like unknown ones; whether they may write is evaluated by the preview, op by op.
 */
export async function writeBulkOps(
  { commands, model, limits }: ChangeSetContext,
  identity: Identity,
  { table: name, set = {}, transition, reason, ...view }: BulkEdit,
  write: (ops: readonly WireOp[]) => Promise<void>,
): Promise<void> {
  const names = Object.keys(set);
  const found = findTable(model(), name);
  const governed = transition === undefined ? undefined : found && governedBy(found);
  const fields = [...new Set([...names, ...(governed ? [governed.stateField] : [])])];
  if (transition !== undefined && !governed) {
    throw new Refusal("invalid_request", { at: "transition" }, explain("changeSet.noTransitions"));
  }
  const opOf = ({ id, values }: { id: string; values: Values }): WireOp => {
    const at = { table: name, record: id };
    const edit = { set, base: valuesOf(values, names) };
    if (transition === undefined || !found) return { op: "update", ...at, ...edit };
    const from = stateOf(found, values) ?? "";
    return {
      op: "transition",
      ...at,
      transition,
      from: String(from),
      ...(names.length > 0 && edit),
      ...(reason !== undefined && { reason }),
    };
  };
  const call = { ...view, table: name, fields };
  await commands.readMatching(identity, call, limits.CHANGE_SET_MAX_OPS, (records) =>
    write(records.map(opOf)),
  );
}
