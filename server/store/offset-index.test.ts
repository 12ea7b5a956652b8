import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Filter } from "../../shared/filter/filter.ts";
import { readSortKey } from "../../shared/filter/sort-key.ts";
import { findTable, type Table } from "../../shared/model/model.ts";
import type { Database } from "./database.ts";
import { OffsetIndexes } from "./offset-indexes.ts";
import { type PageRequest, readPage } from "./pages.ts";
import { createStoreEnvironment } from "./testing/store-environment.ts";
import { viewCondition } from "./view-sql.ts";

const ROWS = 3_000;
const EXACT_TOTAL = 50;
/** A page by which a view gets its index. */
const far: PageRequest = {
  filter: null,
  sort: [readSortKey("-opened_at")],
  offset: 1_100,
  limit: 20,
  fields: ["number"],
  exactTotal: EXACT_TOTAL,
};
const bounds = { maxBytes: 10_000_000, timeoutMs: 10_000 };

/** Values of record n: ties, empty ones, empty texts, variables and letters beyond ASCII in each kind. */
const values = (
  n: string,
) => `'N' || ${n}, (array['a', '', null, '$me', 'ämter', '$now'])[1 + ${n} % 6],
  (array['New', 'Active', 'Resolved'])[1 + ${n} % 3], '2 - Medium', '2 - Medium',
  (array['1 - Critical', '4 - Low', null, '3 - Moderate'])[1 + ${n} % 4],
  (array['Network', 'Zoo', null])[1 + ${n} % 3],
  case ${n} % 7 when 0 then null when 1 then 'infinity'
    else timestamptz '2026-01-01' + (${n} * 7919 % 400) * interval '1 minute' end,
  case ${n} % 5 when 0 then null else ${n} * 31 % 97 end, (array[true, false, null])[1 + ${n} % 3]`;

async function fill({ kysely }: Database): Promise<void> {
  await sql`insert into groups (id, name) values ('Network', 'Network'), ('Zoo', 'Zoo')
    on conflict do nothing`.execute(kysely);
  await sql`insert into incidents (id, number, title, state, impact, urgency, priority, "group", opened_at, reassignments, sla_met)
    select 'r' || n, ${sql.raw(values("n"))} from generate_series(1, ${sql.lit(ROWS)}) n`.execute(
    kysely,
  );
  await sql`analyze incidents`.execute(kysely);
}

/** What another program does to records: number n, and others by its remainder. */
async function change({ kysely }: Database, n: number): Promise<void> {
  const id = `r${n}`;
  if (n % 3 === 0) await sql`delete from incidents where id = ${id}`.execute(kysely);
  else if (n % 3 === 1) {
    await sql`update incidents set priority = '4 - Low', opened_at = '2026-01-01T02:00Z', reassignments = 50,
      title = 'b', "group" = 'Zoo', sla_met = false where id like ${`${id}%`}`.execute(kysely);
  } else {
    await sql`insert into incidents (id, number, title, state, impact, urgency, priority, "group", opened_at, reassignments, sla_met)
      select 'r' || ${n}::int || 'x' || m, ${sql.raw(values("m"))}
      from generate_series(${n}::int * 7 + 1, ${n}::int * 7 + 5) m on conflict do nothing`.execute(
      kysely,
    );
  }
}

const filters: (Filter | null)[] = [
  null,
  { field: "state", op: "in", value: ["New", "Active"] },
  { not: { field: "group", op: "eq", value: "Network" } },
  { field: "reassignments", op: "gt", value: 20 },
];
const keys = ["priority", "title", "group", "opened_at", "reassignments", "sla_met", "state", "id"];
const arbitraryKey = fc
  .tuple(fc.constantFrom(...keys), fc.boolean())
  .map(([key, isDescending]) => `${isDescending ? "-" : ""}${key}`);

describe.each(databases)("pages that are read by offset indexes, on $name", (kind) => {
  it("are those of the whole order, whatever changed since the index was built", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents") as Table;
    await fill(database);
    const indexes = new OffsetIndexes(bounds);
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
          const view = { filter, sort: order.map(readSortKey), fields, exactTotal: EXACT_TOTAL };
          for (const [changed, offset, limit] of steps) {
            const request: PageRequest = { ...view, offset, limit, groupedFrom };
            const whole = await readPage(database, table, { ...request, exactTotal: ROWS * 10 });
            const page = await readPage(database, table, { ...request, indexes });
            const isCounted = page.totalExact && whole.total > EXACT_TOTAL;
            // An infinite time can't be followed: the index is built anew by the next page.
            const { total, totalExact } = isCounted ? whole : page;
            expect(page, `${order} from ${offset}`).toEqual({ ...whole, total, totalExact });
            if (isCounted) byIndex += 1;
            await change(database, changed);
          }
        },
      ),
      { numRuns: 60 },
    );
    expect(byIndex).toBeGreaterThan(60);
  });

  it("share an index only where the filters are the same, and build it once for all who wait", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents") as Table;
    await fill(database);
    const indexes = new OffsetIndexes(bounds);
    const opened = vi.spyOn(database.kysely, "startTransaction");
    const read = (filter: Filter | null) => readPage(database, table, { ...far, filter, indexes });
    const pages = await Promise.all([read(null), read(null), read(null)]);
    expect(pages.map(({ total, totalExact }) => [total, totalExact])).toEqual(
      pages.map(() => [ROWS, true]),
    );
    expect(opened).toHaveBeenCalledTimes(1 + pages.length);
    const some = await read({ field: "state", op: "ne", value: "New" });
    expect(some).toMatchObject({ total: (ROWS * 2) / 3, totalExact: true });
    expect(opened).toHaveBeenCalledTimes(1 + pages.length + 2);
  });

  it("share no index that is being built by another model", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents") as Table;
    await fill(database);
    const indexes = new OffsetIndexes(bounds);
    const published = { ...table };
    const build = (by: Table) =>
      indexes.findOrBuild(database.kysely, by, far, viewCondition(by, null));
    const built = await Promise.all([build(table), build(published)]);
    expect(built[0]?.table).toBe(table);
    expect(built[1]?.table).toBe(published);
  });

  it("count the view for its first page, too, exactly until something changes", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents") as Table;
    await fill(database);
    const indexes = new OffsetIndexes(bounds);
    const first = () => readPage(database, table, { ...far, offset: 0, indexes });
    expect(await first()).toMatchObject({ totalExact: false });
    await readPage(database, table, { ...far, indexes });
    expect(await first()).toMatchObject({ total: ROWS, totalExact: true });
    await change(database, 3);
    expect(await first()).toMatchObject({ total: ROWS, totalExact: false });
    await readPage(database, table, { ...far, indexes });
    expect(await first()).toMatchObject({ total: ROWS - 1, totalExact: true });
  });

  it("are counted once until so many changes that the view may have become short", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents") as Table;
    await fill(database);
    const indexes = new OffsetIndexes(bounds);
    const first = () => readPage(database, table, { ...far, offset: 0, indexes });
    const keep = (count: number) =>
      sql`delete from incidents where substr(id, 2)::int > ${count}`.execute(database.kysely);
    const { total } = await first();
    expect(total).toBeGreaterThan(ROWS / 2);
    await keep(ROWS - 900);
    expect(await first()).toMatchObject({ total, totalExact: false });
    // Nobody counts again: what bypasses the log would be seen.
    await sql`alter table incidents disable trigger user`.execute(database.kysely);
    await keep(ROWS / 2);
    expect(await first()).toMatchObject({ total, totalExact: false });
    await sql`alter table incidents enable trigger user`.execute(database.kysely);
    await keep(EXACT_TOTAL);
    expect(await first()).toMatchObject({ total: EXACT_TOTAL, totalExact: true });
  });

  it("are right without an index: too large, not built in time, or of records that are gone", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents") as Table;
    await fill(database);
    const whole = () => readPage(database, table, far);
    for (const bound of [{ maxBytes: 1_000 }, { timeoutMs: 1 }]) {
      const indexes = new OffsetIndexes({ ...bounds, ...bound });
      await readPage(database, table, { ...far, indexes });
      expect(await readPage(database, table, { ...far, indexes })).toEqual(await whole());
    }
    const indexes = new OffsetIndexes(bounds);
    await readPage(database, table, { ...far, indexes });
    await sql`truncate incidents cascade`.execute(database.kysely);
    expect(await readPage(database, table, { ...far, indexes })).toEqual(await whole());
    await fill(database);
    expect(await readPage(database, table, { ...far, indexes })).toMatchObject({
      records: (await whole()).records,
      total: ROWS,
    });
    // As after a change of the model, which may rewrite records without an entry in the log.
    await sql`alter table incidents disable trigger user`.execute(database.kysely);
    await sql`delete from incidents where id like 'r1%'`.execute(database.kysely);
    await sql`alter table incidents enable trigger user`.execute(database.kysely);
    const renewed = await readPage(database, { ...table }, { ...far, indexes });
    expect(renewed).toMatchObject({ records: (await whole()).records, totalExact: true });
  });
});
