import { findTable, type Model } from "../../shared/model/model.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import { type ErrorBody, Refusal } from "../../shared/protocol/errors.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import { canSee } from "../policy/authorize.ts";
import type { LoadedRows } from "../store/load-for-write.ts";
import { redactFor } from "./evaluate-op.ts";
import type { Mutation, Op } from "./op.ts";

interface Rights {
  subject: Mutation["subject"];
  model: Model;
  records: LoadedRows["records"];
}

/**
 * The stored answers to a mutation, redacted by current rights: a refusal may contain values of a record or
 * field that its author may not read any more, and a restore names who else has restored the record.
 */
export function redactStoredAnswer(
  results: readonly OpResult[],
  { ops, subject }: Mutation,
  { model, records }: { model: Model; records: LoadedRows["records"] },
): OpResult[] {
  const rights = { subject, model, records };
  return results.map((result, index) => {
    const op = ops[index];
    if (!op) return result;
    if (!result.ok) {
      return { ok: false, error: redactForCurrentRights(result.error as ErrorBody, op, rights) };
    }
    const { by, ...rest } = result;
    return by && isReadable(op, rights) ? result : rest;
  });
}

/** What remains for an unreadable record. */
const plainCodes: ReadonlySet<string> = new Set(["not_found", "aborted"]);

function redactForCurrentRights(error: ErrorBody, op: Op, rights: Rights): ErrorBody {
  if (plainCodes.has(error.code)) return error;
  if (!isReadable(op, rights)) return new Refusal("not_found").toBody();
  return redactFor(op, Refusal.fromBody(error), rights).toBody();
}

/** Whether the author of an op may read its record now. */
function isReadable(op: Op, { subject, model, records }: Rights): boolean {
  const table = findTable(model, op.table);
  const scope = table && scopeOf(subject, table);
  if (!scope || op.op === "create" || !scope.filter) return Boolean(scope);
  const current = records.get(table.name)?.get(op.record);
  return current !== undefined && canSee(scope, table, op.record, current);
}
