import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { anyDatabase } from "../../e2e/provision/databases.ts";
import type { Filter } from "../../shared/filter/filter.ts";
import { findTable, type Table } from "../../shared/model/model.ts";
import type { Database } from "./database.ts";
import { type PageRequest, readPage } from "./pages.ts";
import { far, fill, openIndexes, ROWS } from "./testing/offset-index-environment.ts";
import { createStoreEnvironment } from "./testing/store-environment.ts";

const contains: Filter = { field: "number", op: "contains", value: "N1" };
type Environment = Awaited<ReturnType<typeof createStoreEnvironment>>;

/** More than any machine needs to count these records. */
const AMPLE_MS = 60_000;

async function setUp({ database, model }: Environment) {
  const table = findTable(model, "incidents") as Table;
  await fill(database);
  const first: PageRequest = { ...far, offset: 0, exactTotal: 10 };
  const matching = async () => {
    const { rows } = await database.pool.query("select from incidents where number like '%N1%'");
    return rows.length;
  };
  return { database, table, first, matching };
}

describe("the total of a page", () => {
  it("is counted in a long view, whatever the statistics say after a bulk write", async () => {
    await using environment = await createStoreEnvironment(anyDatabase);
    const at = await setUp(environment);
    await sql`update incidents set notes = 'written'`.execute(at.database.kysely);
    await sql`update incidents set notes = 'again'`.execute(at.database.kysely);
    for (const filter of [null, contains]) {
      const page = await readPage(at.database, at.table, {
        ...at.first,
        filter,
        countMs: AMPLE_MS,
      });
      const total = filter ? await at.matching() : ROWS;
      expect(page).toMatchObject({ total, totalExact: true });
      expect(page).not.toHaveProperty("estimate");
    }
  });

  it("is a bound where counting takes too long, and estimated only for all records", async () => {
    await using environment = await createStoreEnvironment(anyDatabase);
    const at = await setUp(environment);
    const some = await readPage(at.database, at.table, { ...at.first, filter: contains });
    expect(some).toMatchObject({ total: 10, totalExact: false });
    expect(some).not.toHaveProperty("estimate");
    const all = await readPage(at.database, at.table, at.first);
    expect(all).toMatchObject({ total: 10, totalExact: false });
    expect(all.estimate).toBeGreaterThan(ROWS * 0.9);
    expect(all.estimate).toBeLessThan(ROWS * 1.1);
  });

  it("is counted once for a while, in whatever order the view is read", async () => {
    await using environment = await createStoreEnvironment(anyDatabase);
    const at = await setUp(environment);
    const indexes = openIndexes(at.database);
    const request = { ...at.first, filter: contains, indexes };
    const total = await at.matching();
    const counted = await readPage(at.database, at.table, { ...request, countMs: AMPLE_MS });
    expect(counted).toMatchObject({ total, totalExact: true });
    expect(await readPage(at.database, at.table, { ...request, sort: [] })).toMatchObject({
      total,
      totalExact: true,
    });
    await sql`delete from incidents where id = 'r10'`.execute(at.database.kysely);
    // One of them may be gone, none more.
    expect(await readPage(at.database, at.table, request)).toMatchObject({
      total: total - 2,
      totalExact: false,
    });
  });

  it("and the page are found by one pass over the table where few records match", async () => {
    await using environment = await createStoreEnvironment(anyDatabase);
    const at = await setUp(environment);
    const few: Filter = { field: "number", op: "contains", value: "N299" };
    for (const groupedFrom of [0, ROWS * 2]) {
      const sort = [{ field: "priority", descending: false }, ...at.first.sort];
      const request = { ...at.first, sort, filter: few, groupedFrom, exactTotal: 1_000 };
      const read = await rowsRead(at.database, (database) => readPage(database, at.table, request));
      expect(read.result).toMatchObject({ total: 11, totalExact: true });
      expect(read.rows).toBeLessThan(ROWS * 1.5);
    }
  });
});

/** How many records of the table Postgres reads for a call. */
async function rowsRead<T>(database: Database, call: (one: Database) => Promise<T>) {
  const one = database.separatePool(1);
  // In a table of so few records Postgres would join the page by reading all of them.
  await one.pool.query("set enable_hashjoin = off; set enable_mergejoin = off");
  const count = async () => {
    await one.pool.query("select pg_stat_force_next_flush()");
    const { rows } = await one.pool.query(`select seq_tup_read + coalesce(idx_tup_fetch, 0) as read
      from pg_stat_all_tables where relid = 'incidents'::regclass`);
    return Number(rows[0]?.read);
  };
  const before = await count();
  const result = await call(one);
  const rows = (await count()) - before;
  await one.close();
  return { result, rows };
}
