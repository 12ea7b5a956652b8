import { findTable, type Model } from "../../shared/model/model.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import { type ErrorBody, type ErrorCode, Refusal } from "../../shared/protocol/errors.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import { canSee } from "../policy/authorize.ts";
import { discreet } from "../policy/discreet.ts";
import type { LoadedRows } from "../store/load-for-write.ts";
import type { Mutation, Op } from "./op.ts";

/**
 * The answers that were given to a mutation, told again under the rights of today: a conflict holds
 * values of the record, and who asks again may not see the record or the field any more.
 */
export function retell(
  results: readonly OpResult[],
  { ops, subject }: Mutation,
  { model, records }: { model: Model; records: LoadedRows["records"] },
): OpResult[] {
  return results.map((result, index) => {
    const op = ops[index];
    if (result.ok || !op || result.error.fields === undefined) return result;
    return { ok: false, error: today(result.error as ErrorBody, op, subject, model, records) };
  });
}

function today(
  { code, message, ...detail }: ErrorBody,
  op: Op,
  subject: Mutation["subject"],
  model: Model,
  records: LoadedRows["records"],
): ErrorBody {
  const table = findTable(model, op.table);
  const scope = table && scopeOf(subject, table);
  const nothing = new Refusal("not_found").toBody();
  if (!scope) return nothing;
  const told = discreet(new Refusal(code as ErrorCode, detail, message), subject, table);
  if (code !== "conflict" || op.op === "create") return told.toBody();
  const standing = records.get(table.name)?.get(op.record);
  if (scope.filter && !(standing && canSee(scope, table, op.record, standing))) return nothing;
  return told.toBody();
}
