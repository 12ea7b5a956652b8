import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { readSpan } from "./feed-log.ts";
import { moveForeignTransactions } from "./foreign-transactions.ts";
import { createStoreEnvironment, type StoreEnvironment } from "./testing/store-environment.ts";

const GENERATION = 2n ** 44n;

describe.each(databases)("transaction numbers on $name", (kind) => {
  let store: StoreEnvironment;

  beforeAll(async () => {
    store = await createStoreEnvironment(kind);
    for (const id of ["a", "b", "c"]) await add(id);
  });
  afterAll(() => store?.[Symbol.asyncDispose]());

  const add = (id: string) =>
    store.database.pool.query("insert into incidents (id, state) values ($1, 'New')", [id]);
  const log = () => readSpan(store.database, "incidents", 0, 100);
  const generations = async () => {
    const { rows } = await store.database.pool.query<{ tx: string }>(
      `select tx::text as tx from watchfloor.numbering union all
       select tx::text as tx from watchfloor.change order by tx`,
    );
    return rows.map(({ tx }) => Number(BigInt(tx) / GENERATION));
  };

  it("of this database's own log stay as they are", async () => {
    const before = await generations();
    expect(before.length).toBeGreaterThanOrEqual(6);
    await moveForeignTransactions(store.database);
    expect(await generations()).toEqual(before);
    expect(before.every((generation) => generation === 0)).toBe(true);
  });

  it("of other databases are moved beyond all future ones, and the log reads the same", async () => {
    const before = await log();
    expect(before?.changes).toHaveLength(3);
    // As after a restore by another program: the new database has not counted that far.
    for (const table of ["change", "numbering", "mutation"]) {
      await store.database.pool.query(
        `update watchfloor.${table} set tx = ((tx::text)::numeric + 1000000)::text::xid8`,
      );
    }
    await moveForeignTransactions(store.database);
    expect(new Set(await generations())).toEqual(new Set([1]));
    expect(await log()).toEqual(before);
    await add("d");
    expect(new Set(await generations())).toEqual(new Set([0, 1]));
    await moveForeignTransactions(store.database);
    expect(new Set(await generations())).toEqual(new Set([0, 1]));
    expect((await log())?.changes).toHaveLength(4);
  });
});
