import { isReadOnly } from "../../shared/model/recorded.ts";
import type { ChangeSetState } from "../../shared/protocol/change-sets.ts";
import { countApplied, hasUnapplied } from "../store/change-sets/change-set-ops.ts";
import { type ChangeSetRow, findChangeSet } from "../store/change-sets/change-sets.ts";
import { areAllTakenBack } from "../store/change-sets/reverted-sets.ts";
import { isTimedOut } from "../store/is-unavailable.ts";
import type { ChangeSetContext } from "./change-set-context.ts";

interface Move {
  id: string;
  from: ChangeSetState[];
  to: ChangeSetState;
}

/**
 * The states that other sets get once a revert has ended. The set that it reverts is `reverted` if this revert alone, or all
 * of its reverts together, have taken back all of its changes. What that set had itself reverted is in effect again, and so on.
 */
export async function statesAfterRevert(
  context: ChangeSetContext,
  revert: ChangeSetRow,
): Promise<Move[]> {
  const { kysely } = context.database;
  const isWhole = revert.revertsAll && !(await hasUnapplied(kysely, revert.id));
  if (!isWhole && (await countApplied(kysely, revert.id)) === 0) return [];
  const moves: Move[] = [];
  let set: ChangeSetRow | null = revert;
  for (let depth = 1; set?.reverts; depth += 1) {
    const id: string = set.reverts;
    if (depth % 2 === 0) moves.push({ id, from: ["reverted"], to: "applied" });
    else if ((depth === 1 && isWhole) || (await areAllReverted(context, id))) {
      moves.push({ id, from: ["applied", "cancelled"], to: "reverted" });
    }
    set = await findChangeSet(kysely, id);
  }
  return moves;
}

/** False where that takes too long to find out. */
async function areAllReverted(
  { database, model, limits }: ChangeSetContext,
  set: string,
): Promise<boolean> {
  const fields = model().tables.map((table) => {
    const writable = table.fields.filter((field) => !isReadOnly(field));
    return [table.name, writable.map(({ name }) => name)];
  });
  try {
    const { kysely } = database;
    return await areAllTakenBack(
      kysely,
      set,
      Object.fromEntries(fields),
      limits.CHANGE_SET_MAX_OPS,
    );
  } catch (error) {
    if (isTimedOut(error)) return false;
    throw error;
  }
}
