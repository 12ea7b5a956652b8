import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Filter } from "../../shared/filter/filter.ts";
import { readSortKey } from "../../shared/filter/sort-key.ts";
import { findTable, type Table } from "../../shared/model/model.ts";
import { readImagesIn } from "./feed-log.ts";
import { type PageRequest, readPage } from "./pages.ts";
import {
  arbitraryKey,
  change,
  EXACT_TOTAL,
  far,
  fill,
  filters,
  openIndexes,
  ROWS,
  readBuilt,
  reader,
} from "./testing/offset-index-environment.ts";
import { createStoreEnvironment } from "./testing/store-environment.ts";
import { viewCondition } from "./view-sql.ts";

describe.each(databases)("pages that are read by offset indexes, on $name", (kind) => {
  it("are those of the whole order, whatever changed since the index was built", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents") as Table;
    await fill(database);
    const indexes = openIndexes(database);
    const fields = ["number", "title"];
    let byIndex = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryKey, { maxLength: 3 }),
        fc.constantFrom(...filters),
        fc.array(fc.tuple(fc.nat(ROWS), fc.integer({ min: 1_001, max: ROWS + 400 }), fc.nat(150)), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.constantFrom(0, ROWS * 2),
        async (order, filter, steps, groupedFrom) => {
          const bounds = { exactTotal: EXACT_TOTAL };
          const view = { filter, sort: order.map(readSortKey), fields, ...bounds };
          for (const [changed, offset, limit] of steps) {
            const request: PageRequest = { ...view, offset, limit, groupedFrom };
            const whole = await readPage(database, table, { ...request, exactTotal: ROWS * 10 });
            const page = await readBuilt(database, table, request, indexes);
            const isCounted = page.totalExact && whole.total > EXACT_TOTAL;
            // An infinite time can't be followed: the index is built anew by the next page.
            const { total, totalExact, estimate } = isCounted ? whole : page;
            const expected = { ...whole, total, totalExact, ...(estimate && { estimate }) };
            expect(page, `${order} from ${offset}`).toEqual(expected);
            if (isCounted) byIndex += 1;
            await change(database, changed);
          }
        },
      ),
      { numRuns: 60 },
    );
    expect(byIndex).toBeGreaterThan(60);
  });

  it("answer the first page far from the beginning before its index is built, and later ones by it", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents") as Table;
    await fill(database);
    const { promise: mayBuild, resolve: build } = Promise.withResolvers<void>();
    const indexes = openIndexes(database, { mayBuild });
    const read = () => readPage(database, table, { ...far, indexes });
    const { records } = await readPage(database, table, far);
    expect(await read()).toMatchObject({ records, totalExact: false });
    expect(await read()).toMatchObject({ records, totalExact: false });
    build();
    await indexes.built();
    expect(await read()).toMatchObject({ records, total: ROWS, totalExact: true });
    // What bypasses the log is not seen: the index was not built anew.
    await sql`alter table incidents disable trigger user`.execute(database.kysely);
    await sql`delete from incidents where opened_at is null`.execute(database.kysely);
    expect(await read()).toMatchObject({ total: ROWS, totalExact: true });
    expect(indexes.builds).toHaveLength(1);
  });

  it("are right after a failed build, which is reported and begun again by a later page", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents") as Table;
    await fill(database);
    const failure = new Error("out of memory");
    const { promise: mayBuild, reject } = Promise.withResolvers<void>();
    const indexes = openIndexes(database, { mayBuild });
    reject(failure);
    const { records } = await readPage(database, table, far);
    expect(await readBuilt(database, table, far, indexes)).toMatchObject({ records });
    await indexes.built();
    expect(indexes.errors).toEqual([failure, failure]);
  });

  it("share an index only where the filters are the same, and build it once for all who read", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents") as Table;
    await fill(database);
    const indexes = openIndexes(database);
    const read = (filter: Filter | null) => readPage(database, table, { ...far, filter, indexes });
    await Promise.all([read(null), read(null), read(null)]);
    await indexes.built();
    expect(await read(null)).toMatchObject({ total: ROWS, totalExact: true });
    expect(indexes.builds).toHaveLength(1);
    const filter: Filter = { field: "state", op: "ne", value: "New" };
    const some = await readBuilt(database, table, { ...far, filter }, indexes);
    expect(some).toMatchObject({ total: (ROWS * 2) / 3, totalExact: true });
    expect(indexes.builds).toHaveLength(2);
  });

  it("share no index that is being built by another model", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents") as Table;
    await fill(database);
    const indexes = openIndexes(database);
    const published = { ...table };
    for (const by of [table, published]) {
      indexes.of.build(reader, by, far, viewCondition(by, null));
      indexes.of.build(reader, by, far, viewCondition(by, null));
    }
    expect(indexes.builds).toHaveLength(2);
    await indexes.built();
    const found = [table, published].map((by) => indexes.of.find(by, far)?.table);
    expect(found.filter(Boolean)).toHaveLength(1);
  });

  it("begin no build after the server was stopped, and end those that run", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents") as Table;
    await fill(database);
    const indexes = openIndexes(database);
    await readPage(database, table, { ...far, indexes });
    await indexes.of.close();
    await readPage(database, table, { ...far, sort: [], indexes });
    expect(indexes.builds).toHaveLength(1);
  });

  it("count the view for its first page, too, exactly until something changes", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents") as Table;
    await fill(database);
    const indexes = openIndexes(database);
    const first = () => readPage(database, table, { ...far, offset: 0, indexes });
    expect(await first()).toMatchObject({ totalExact: false });
    await readBuilt(database, table, far, indexes);
    expect(await first()).toMatchObject({ total: ROWS, totalExact: true });
    await change(database, 3);
    // One may be gone or have come: there are more than one less.
    expect(await first()).toMatchObject({ total: ROWS - 2, totalExact: false });
    await readPage(database, table, { ...far, indexes });
    expect(await first()).toMatchObject({ total: ROWS - 1, totalExact: true });
  });

  it("are counted once until so many changes that the view may have become short", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents") as Table;
    await fill(database);
    const indexes = openIndexes(database);
    const first = () => readPage(database, table, { ...far, offset: 0, indexes });
    const keep = (count: number) =>
      sql`delete from incidents where substr(id, 2)::int > ${count}`.execute(database.kysely);
    const many = { total: EXACT_TOTAL, totalExact: false };
    expect(await first()).toMatchObject(many);
    await keep(ROWS - 900);
    expect(await first()).toMatchObject(many);
    // Nobody counts again: what bypasses the log would be seen.
    await sql`alter table incidents disable trigger user`.execute(database.kysely);
    await keep(ROWS / 2);
    expect(await first()).toMatchObject(many);
    await sql`alter table incidents enable trigger user`.execute(database.kysely);
    await keep(EXACT_TOTAL);
    expect(await first()).toMatchObject({ total: EXACT_TOTAL, totalExact: true });
  });

  it("are counted once in a new epoch, too, which the view's index does not know", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents") as Table;
    await fill(database);
    const indexes = openIndexes(database);
    await readBuilt(database, table, far, indexes);
    await sql`select watchfloor.break_epoch(id) from watchfloor.feed
      where table_name = ${table.name}`.execute(database.kysely);
    const { epoch } = await readPage(database, table, { ...far, offset: 0, indexes });
    expect(indexes.of.counted(table, far)).toMatchObject({ epoch });
  });

  it("end an index in which too many records came between two entries", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents") as Table;
    await fill(database);
    const indexes = openIndexes(database);
    await readBuilt(database, table, far, indexes);
    // More than FOLLOWED_MAX_CHANGES would end it, too.
    for (const half of [1, 2, 3]) {
      await sql`insert into incidents (id, number, title, state, impact, urgency, priority, opened_at)
        select ${`more ${half}-`}::text || n, ${`M${half}-`}::text || n, 'more', 'New', '2 - Medium', '2 - Medium', '4 - Low',
          '2025-01-01' from generate_series(1, 8000) n`.execute(database.kysely);
      expect(indexes.of.find(table, far)).toBeTruthy();
      const page = await readPage(database, table, { ...far, indexes });
      expect(page).toEqual(await readPage(database, table, { ...far, exactTotal: ROWS * 100 }));
    }
    expect(indexes.of.find(table, far)).toBeUndefined();
    const anew = await readBuilt(database, table, far, indexes);
    expect(anew).toMatchObject({ total: ROWS + 24_000, totalExact: true });
    expect(indexes.builds).toHaveLength(2);
  });

  it("follow a log of long values in parts, of the fields that the view compares", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database } = environment;
    const title = "long".repeat(1_000);
    await sql`insert into incidents (id, number, title, state, impact, urgency, priority)
       select 'l' || n, 'L' || n, ${title}::text, 'New', '2 - Medium', '2 - Medium', '4 - Low' from generate_series(1, 10) n`.execute(
      database.kysely,
    );
    await sql`update incidents set title = 'short' where id = 'l1'`.execute(database.kysely);
    await sql`delete from incidents where id = 'l2'`.execute(database.kysely);
    const read = async (after: number, bytes: number, fields: string[]) => {
      const bounds = { limit: 100, bytes, fields };
      const found = await readImagesIn(database.kysely, "incidents", after, bounds);
      return found?.changes ?? [];
    };
    expect(await read(0, 1_000_000, ["title"])).toHaveLength(12);
    expect(await read(0, 3 * (title.length + 100), ["title"])).toHaveLength(3);
    expect(await read(0, 1, ["title"])).toHaveLength(1);
    expect(await read(10, 1_000_000, ["state"])).toEqual([
      { seq: 11, record: "l1", before: {}, after: { state: "New" }, entry: 1 },
      { seq: 12, record: "l2", before: { state: "New" }, after: null, entry: 2 },
    ]);
  });

  it("are right without an index: too large, not built in time, or of records that are gone", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents") as Table;
    await fill(database);
    const whole = () => readPage(database, table, far);
    for (const bound of [{ maxBytes: 1_000 }, { timeoutMs: 1 }]) {
      const indexes = openIndexes(database, bound);
      expect(await readBuilt(database, table, far, indexes)).toEqual(await whole());
      expect(indexes.builds).toHaveLength(1);
    }
    const indexes = openIndexes(database);
    await readBuilt(database, table, far, indexes);
    await sql`truncate incidents cascade`.execute(database.kysely);
    expect(await readPage(database, table, { ...far, indexes })).toEqual(await whole());
    await fill(database);
    expect(await readBuilt(database, table, far, indexes)).toMatchObject({
      records: (await whole()).records,
      total: ROWS,
      totalExact: true,
    });
    // As after a change of the model, which may rewrite records without an entry in the log.
    await sql`alter table incidents disable trigger user`.execute(database.kysely);
    await sql`delete from incidents where id like 'r1%'`.execute(database.kysely);
    await sql`alter table incidents enable trigger user`.execute(database.kysely);
    const renewed = await readBuilt(database, { ...table }, far, indexes);
    expect(renewed).toMatchObject({ records: (await whole()).records, totalExact: true });
  });
});
