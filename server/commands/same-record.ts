import { isDeepStrictEqual } from "node:util";
import { explain } from "../../shared/error-texts/explain.ts";
import type { Table, Values } from "../../shared/model/model.ts";
import { recordsChanges } from "../../shared/model/recorded.ts";
import type { Scope } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { ChangeHistory, Creation } from "./change-history.ts";
import { positionOf } from "./conflict.ts";
import type { EvaluationContext } from "./evaluation-context.ts";

/**
 * Whether a record is still the one that somebody saw. An id is not enough: after a deletion, a record may be created anew under
 * it, by any program. A restored record is the same: it holds what it held when it was deleted, by which the log distinguishes the
 * two. Fields that the author can't see are not compared, or else the answer would reveal what they held. A record that was
 * deleted and created anew within the very commit that evaluates the op, or more than 1,000 changes ago, counts as the same.
 */

/** Refuses an op on a record that was created anew since the version that the op names. */
export function requireSameRecord(
  { record, version }: { record: string; version?: string | undefined },
  table: Table,
  scope: Scope,
  { history }: Pick<EvaluationContext, "history">,
): void {
  if (version === undefined) return;
  // The last one: its record is the one that exists, or was restored since.
  const replacement = returnsSince(version, table, record, history).findLast(
    (creation) => !isRestored(creation, table, scope),
  );
  if (replacement) throw recordReplaced(table, record, replacement);
}

/** Who last brought a record back since the deletion of that version. Refuses a record that was created anew. */
export function restorerSince(
  version: string,
  table: Table,
  record: string,
  scope: Scope,
  context: Pick<EvaluationContext, "history">,
) {
  requireSameRecord({ record, version }, table, scope, context);
  return returnsSince(version, table, record, context.history).at(-1)?.by;
}

/** Numbers go on when an epoch ends. One beyond the head belongs to a lost history: nothing came after it. */
function returnsSince(version: string, table: Table, record: string, history: ChangeHistory) {
  return history.creationsSince(table.name, record, positionOf(version).seq);
}

/** Whether a creation brought back what was deleted. Fields that came or went with the model since don't count. */
function isRestored({ after, deleted }: Creation, table: Table, scope: Scope): boolean {
  if (!deleted) return false;
  const isSame = (name: string) => isDeepStrictEqual(valueIn(after, name), valueIn(deleted, name));
  const fields = table.fields.filter(
    (field) => scope.fields.includes(field.name) && !field.expression && !recordsChanges(field),
  );
  return fields.every(({ name }) => !(name in after && name in deleted) || isSame(name));
}

const valueIn = (values: Values, name: string) => values[name] ?? null;

/** The record that the author saw is gone, and can't be restored while another one has its id. */
function recordReplaced(table: Table, record: string, { by, at }: Creation): Refusal {
  const detail = { table: table.name, record, by, at, restorable: false, replaced: true };
  return new Refusal("record_deleted", detail, explain("record.replaced"));
}
