import { findTable, type Table } from "../../../shared/model/model.ts";
import type { WallboardDocument } from "../../../shared/model/wallboard/wallboard.ts";
import type { Subject } from "../../../shared/policy/scope.ts";
import type { Context } from "../../store/published-model.ts";
import type { ReadTurns } from "../../store/read-turns.ts";
import { readTileQuery, TooManyGroups } from "../engine/read-tile-query.ts";
import { planWallboard } from "../plan/plan-wallboard.ts";
import { userReader } from "../reader.ts";

/**
 * The ids of tiles that show no values in a user's scope, because they have too many groups for their order. The wallboard
 * is published by then, so no failure is thrown: the first query that fails, or takes too long, is the last one.
 */
export async function tilesWithTooManyGroups(
  { model, reads }: Pick<Context, "model"> & { reads: ReadTurns },
  me: Subject,
  document: WallboardDocument,
): Promise<string[]> {
  const wallboard = { wallboard: "", version: 0, document };
  const current = model();
  const { tiles } = planWallboard(wallboard, {
    model: current,
    reader: userReader(me),
    textOrder: null,
  });
  const found: string[] = [];
  for (const { id, groups, series } of tiles) {
    const query = groups ?? series;
    if (!query || query.group === null || query.largest) continue;
    const table = findTable(current, query.table) as Table;
    const read = () => readTileQuery(reads.database.kysely, { query, table }, Date.now());
    try {
      await reads.run({ subject: me }, read);
    } catch (error) {
      if (!(error instanceof TooManyGroups)) return found;
      found.push(id);
    }
  }
  return found;
}
