import { idOfTable, type Table, type Values } from "../../shared/model/model.ts";
import type { Scope } from "../../shared/policy/scope.ts";
import { canSee } from "../policy/authorize.ts";
import { type Recreation, readRecreations } from "../store/comments.ts";
import type { Database } from "../store/database.ts";

/**
 * A record that is created again under the id of a deleted one has the same thread. Comments on the deleted one are shown only
 * to users whose scope included it as it was deleted: their own record must not open the thread of one that was hidden from them.
 */

/** The last comment of each thread that a reader may not see, by its place `n`; it and all before it are hidden. */
export type HiddenComments = ReadonlyMap<string, number>;

/** Of these records of one table the threads that begin with comments hidden from the reader. */
export async function findHiddenComments(
  { kysely }: Pick<Database, "kysely">,
  { table, scope }: { table: Table; scope: Scope },
  records: readonly string[],
): Promise<HiddenComments> {
  if (scope.filter === null || records.length === 0) return new Map();
  const recreations = await readRecreations(kysely, table.name, idOfTable(table), records);
  return hiddenBy(recreations, (record, values) => canSee(scope, table, record, values));
}

/** The same by what the reader sees. A deletion that the log does not hold any more is not seen. */
export function hiddenBy(
  recreations: readonly Recreation[],
  sees: (record: string, values: Values) => boolean,
): HiddenComments {
  const hidden = new Map<string, number>();
  for (const { record, upto, deleted } of recreations) {
    if (deleted && sees(record, deleted)) continue;
    hidden.set(record, Math.max(upto, hidden.get(record) ?? 0));
  }
  return hidden;
}

export function isHidden(hidden: HiddenComments, comment: { record: string; n: number }): boolean {
  return comment.n <= (hidden.get(comment.record) ?? 0);
}
