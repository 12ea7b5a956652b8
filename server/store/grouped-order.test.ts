import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { bothDatabases } from "../../e2e/provision/databases.ts";
import type { Filter, SortKey } from "../../shared/filter/filter.ts";
import { readSortKey } from "../../shared/filter/sort-key.ts";
import { type Field, findField, findTable, type Table } from "../../shared/model/model.ts";
import { indexesOf } from "./ddl/field-ddl.ts";
import { isReadByGroups } from "./grouped-order.ts";
import { identifier } from "./identifiers.ts";
import { readPage } from "./pages.ts";
import { createStoreEnvironment } from "./testing/store-environment.ts";

const ROWS = 3_000;
const notEmptyNorZoo: Filter = {
  and: [
    { field: "group", op: "isEmpty", value: false },
    { field: "group", op: "ne", value: "Zoo" },
  ],
};
const notNetwork: Filter = { not: { field: "group", op: "eq", value: "Network" } };

describe.each(bothDatabases)("pages that are read group by group, on $name", (kind) => {
  it("are those of the whole order", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents");
    if (!table) throw new Error("no table");
    await sql`insert into groups (id, name) select g, g from unnest(array['Network', 'ämter', 'Zoo', 'a', '$me', '$now']) g
      on conflict do nothing`.execute(database.kysely);
    await sql`insert into incidents (id, number, title, state, impact, urgency, priority, "group", assignee, opened_at)
      select 'r' || n, 'N' || n, 't', 'New', '2 - Medium', '2 - Medium',
        (array['1 - Critical', '4 - Low', null, '3 - Moderate'])[1 + n % 4],
        (array['Network', 'ämter', null, 'Zoo', 'a', '$me', '$now'])[1 + n % 7],
        case n % 7 when 0 then '' when 1 then null else 'user ' || n % 50 end,
        now() + (n * 7919 % 1000) * interval '1 minute'
      from generate_series(1, ${sql.lit(ROWS)}) n`.execute(database.kysely);
    await sql`analyze incidents`.execute(database.kysely);
    const fields = table.fields.map(({ name }) => name);
    const orders = ["priority,-opened_at", "-priority,opened_at,-id", "group", "-group,priority"];
    for (const order of [...orders, "assignee,opened_at", "opened_at,priority"]) {
      const sort: SortKey[] = order.split(",").map(readSortKey);
      for (const [filter, offset] of [
        [null, 0],
        [null, 720],
        [notNetwork, 990],
        [notEmptyNorZoo, 500],
        [
          { and: [notNetwork, { field: "opened_at", op: "gt", value: new Date().toISOString() }] },
          0,
        ],
        [{ field: "priority", op: "eq", value: "4 - Low" }, 700],
      ] as [Filter | null, number][]) {
        // Few matches are sorted as a whole.
        for (const exactTotal of [100, ROWS]) {
          const bounds = { offset, limit: 100, exactTotal };
          const request = { filter, sort, fields, ...bounds };
          const whole = await readPage(database, table, { ...request, groupedFrom: ROWS + 1 });
          const grouped = await readPage(database, table, { ...request, groupedFrom: 1 });
          expect(grouped, `${order} ${JSON.stringify(filter)} ${offset}`).toEqual(whole);
        }
      }
    }
  });

  it("need the index that lists the values: tables of other programs may lack it", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents") as Table;
    await sql`analyze incidents`.execute(database.kysely);
    for (const field of ["group", "priority"]) {
      const sort = [field, "number"].map(readSortKey);
      expect(await isReadByGroups(database, table, sort, 0)).toBe(true);
      for (const { name } of indexesOf(table, findField(table, field) as Field)) {
        await sql`drop index ${identifier(name)}`.execute(database.kysely);
      }
      expect(await isReadByGroups(database, table, sort, 0)).toBe(false);
    }
  });
});
