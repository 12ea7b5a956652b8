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
 * field that its author may not read any more.
 */
export function redactStoredAnswer(
  results: readonly OpResult[],
  { ops, subject }: Mutation,
  { model, records }: { model: Model; records: LoadedRows["records"] },
): OpResult[] {
  return results.map((result, index) => {
    const op = ops[index];
    if (result.ok || !op) return result;
    return {
      ok: false,
      error: redactForCurrentRights(result.error as ErrorBody, op, { subject, model, records }),
    };
  });
}

/** What remains for an unreadable record. */
const plainCodes: ReadonlySet<string> = new Set(["not_found", "aborted"]);

function redactForCurrentRights(
  error: ErrorBody,
  op: Op,
  { subject, model, records }: Rights,
): ErrorBody {
  if (plainCodes.has(error.code)) return error;
  const table = findTable(model, op.table);
  const scope = table && scopeOf(subject, table);
  const notFound = new Refusal("not_found").toBody();
  if (!scope) return notFound;
  if (op.op !== "create" && scope.filter) {
    const current = records.get(table.name)?.get(op.record);
    if (!current || !canSee(scope, table, op.record, current)) return notFound;
  }
  return redactFor(op, Refusal.fromBody(error), { subject, model }).toBody();
}
