import { sql } from "kysely";
import type { Database, Db } from "./database.ts";

/**
 * The log joins its parts by the numbers of their transactions. They begin anew in another database, and the numbers in a
 * log from elsewhere must never be those of a later transaction.
 */

/** No server counts as many transactions. */
const GENERATION = 2n ** 44n;
/** The tables with transaction numbers that are read after the end of their transaction. */
const tables = ["change", "numbering", "mutation"];

/** What to add to the numbers of this database, so that they are above all that came from elsewhere. */
export async function transactionOffset(db: Db): Promise<string> {
  const { rows } = await sql<{ latest: string | null }>`select (select tx from (
      (select tx from watchfloor.numbering order by tx desc limit 1)
      union all (select tx from watchfloor.mutation order by tx desc limit 1)
    ) t order by tx desc limit 1)::text as latest`.execute(db);
  return String((BigInt(rows[0]?.latest ?? 0) / GENERATION + 1n) * GENERATION);
}

/** The column `tx` with this offset; unchanged where it has been moved before. */
export const movedTransaction = (offset: string) => sql`case
  when tx < ${sql.lit(String(GENERATION))}::xid8 then ((tx::text)::numeric + ${sql.lit(offset)})::text::xid8
  else tx end`;

/**
 * Moves the numbers of a log that another program has restored, such as pg_restore: those that this Postgres has not
 * reached yet show that it is from elsewhere. To be called before the first commit; no server writes meanwhile.
 */
export async function moveForeignTransactions({ kysely }: Pick<Database, "kysely">): Promise<void> {
  const isForeign = sql<boolean>`exists (select from watchfloor.numbering
    where tx >= pg_snapshot_xmax(pg_current_snapshot()) and tx < ${sql.lit(String(GENERATION))}::xid8)`;
  const { rows } = await sql<{ foreign: boolean }>`select ${isForeign} as foreign`.execute(kysely);
  if (!rows[0]?.foreign) return;
  await kysely.transaction().execute(async (tx) => {
    await sql`lock table ${sql.join(tables.map((name) => sql.id("watchfloor", name)))} in exclusive mode`.execute(
      tx,
    );
    const offset = await transactionOffset(tx);
    for (const name of tables) {
      await sql`update ${sql.id("watchfloor", name)} set tx = ${movedTransaction(offset)}
        where tx < ${sql.lit(String(GENERATION))}::xid8`.execute(tx);
    }
  });
}
