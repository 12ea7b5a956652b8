import { type Explanation, explain } from "../../shared/error-texts/explain.ts";
import { findTable, type Model } from "../../shared/model/model.ts";
import { type Subject, scopeOf } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { Misfit, TableMisfit } from "../store/model-fit.ts";

/**
 * A table that no longer fits the model, as a refusal that names what the caller may read of it. Hidden tables and fields are
 * not named; without any the refusal says only that a table does not fit.
 */
export function misfitRefusal(
  { misfits }: TableMisfit,
  { subject, model }: { subject: Subject; model: Model },
): Refusal {
  const visible = misfits.filter(({ table: name, field }) => {
    const table = findTable(model, name);
    const scope = table && scopeOf(subject, table);
    return scope && (field === null || scope.fields.includes(field));
  });
  const [first] = visible;
  if (!first) return new Refusal("model_mismatch");
  const ofTable = visible.filter(({ table }) => table === first.table);
  const fields = ofTable.flatMap(({ field }) => field ?? []);
  const label = findTable(model, first.table)?.label ?? first.table;
  return new Refusal("model_mismatch", { table: first.table, fields }, explanationOf(first, label));
}

function explanationOf({ column, type }: Misfit, table: string): Explanation {
  if (column === null) return explain("table.missing", { table });
  if (type === null) return explain("table.columnMissing", { table, column });
  return explain("table.columnType", { table, column, type });
}
