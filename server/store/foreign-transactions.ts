import { sql } from "kysely";
import type { Database, Db } from "./database.ts";
import { identifier } from "./identifiers.ts";
import { execute, rowOf } from "./statement.ts";

/**
 * The log joins its parts by transaction number. Another database counts from the beginning again, so numbers in a log
 * from elsewhere have to differ from those of all later transactions here.
 */

/** More than any server counts. */
export const GENERATION = 2n ** 44n;
/** The tables whose transaction numbers are read after the transaction has ended. */
const tables = ["change", "numbering", "mutation"];

/** The offset that lifts the numbers of this database above all that came from elsewhere. */
export async function transactionOffset(db: Db): Promise<string> {
  const row = await rowOf<{ latest: string | null }>(db)`select (select tx from (
      (select tx from watchfloor.numbering order by tx desc limit 1)
      union all (select tx from watchfloor.mutation order by tx desc limit 1)
    ) t order by tx desc limit 1)::text as latest`;
  return String((BigInt(row?.latest ?? 0) / GENERATION + 1n) * GENERATION);
}

/** The column `tx` plus this offset; unchanged if it was moved before. */
export const movedTransaction = (offset: string) => sql`case
  when tx < ${sql.lit(String(GENERATION))}::xid8 then ((tx::text)::numeric + ${sql.lit(offset)})::text::xid8
  else tx end`;

/**
 * Moves the numbers of a log that another program, such as pg_restore, has restored. Numbers that this Postgres has not
 * reached yet show that the log is from elsewhere. Call this before the first commit, while no server writes.
 */
export async function moveForeignTransactions({ kysely }: Pick<Database, "kysely">): Promise<void> {
  const isForeign = sql<boolean>`exists (select from watchfloor.numbering
    where tx >= pg_snapshot_xmax(pg_current_snapshot()) and tx < ${sql.lit(String(GENERATION))}::xid8)`;
  const row = await rowOf<{ foreign: boolean }>(kysely)`select ${isForeign} as foreign`;
  if (!row?.foreign) return;
  await kysely.transaction().execute(async (tx) => {
    await execute(
      tx,
    )`lock table ${sql.join(tables.map((name) => identifier("watchfloor", name)))} in exclusive mode`;
    const offset = await transactionOffset(tx);
    for (const name of tables) {
      await execute(
        tx,
      )`update ${identifier("watchfloor", name)} set tx = ${movedTransaction(offset)}
        where tx < ${sql.lit(String(GENERATION))}::xid8`;
    }
  });
}
