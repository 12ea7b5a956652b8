import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Filter, SortKey } from "../../shared/filter/filter.ts";
import { readSortKey } from "../../shared/filter/sort-key.ts";
import { type Field, findField, findTable, type Table } from "../../shared/model/model.ts";
import { fieldOf, tableOf } from "../model/testing/model-environment.ts";
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

describe.each(databases)("pages that are read group by group, on $name", (kind) => {
  it("are those of the whole order", async () => {
    await using environment = await createStoreEnvironment(kind);
    const { database, model } = environment;
    const table = findTable(model, "incidents");
    const groups = findTable(model, "groups");
    const display = groups && findField(groups, groups.display);
    if (!table || !groups || !display) throw new Error("no table");
    const labels = { group: { kind: "records" as const, table: groups, display, filter: null } };
    await sql`insert into groups (id, name) select g, reverse(g) from unnest(array['Network', 'ämter', 'Zoo', 'a', '$me', '$now']) g
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
    const orders = [
      "priority,-group",
      "priority,-opened_at",
      "-priority,opened_at,-id",
      "group",
      "-group,priority",
    ];
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
          const request = { filter, sort, labels, fields, ...bounds };
          const whole = await readPage(database, table, { ...request, groupedFrom: ROWS + 1 });
          const grouped = await readPage(database, table, { ...request, groupedFrom: 1 });
          expect(grouped, `${order} ${JSON.stringify(filter)} ${offset}`).toEqual(whole);
        }
      }
    }
  });

  it("are those of the whole order by many labels, whoever reads", async () => {
    const patients = tableOf("patients", [fieldOf("name"), fieldOf("ward")]);
    const patient = fieldOf("patient", { type: "link", target: "patients" });
    const beds = tableOf("beds", [fieldOf("bed"), patient]);
    const model = { version: 1, tables: [patients, beds] };
    await using environment = await createStoreEnvironment(kind, model);
    const { database } = environment;
    await sql`insert into patients (id, name, ward)
      select 'm' || n, case when n % 9 = 0 then null else (array['anna','Ömer','zoe','Bert'])[1 + n % 4] || ' ' || (n / 3) end,
        (array['A','B'])[1 + n % 2] from generate_series(1, 60) n`.execute(database.kysely);
    await sql`insert into beds (id, bed, patient)
      select 'n' || n, 'bed ' || n % 7, case when n % 11 = 0 then null else 'm' || (1 + (n * 37) % 60) end
      from generate_series(1, 500) n`.execute(database.kysely);
    await sql`analyze beds`.execute(database.kysely);
    const display = patients.fields[0] as Field;
    const ofWardA: Filter = { field: "ward", op: "eq", value: "A" };
    for (const rows of [null, ofWardA]) {
      const labels = {
        patient: { kind: "records" as const, table: patients, display, filter: rows },
      };
      for (const order of ["patient", "-patient", "patient,-bed", "-patient,bed"]) {
        const sort = order.split(",").map(readSortKey);
        for (const filter of [null, { field: "bed", op: "ne", value: "bed 3" } as Filter]) {
          for (const offset of [0, 37, 400]) {
            const bounds = { offset, limit: 50, exactTotal: 1 };
            const request = { filter, sort, labels, fields: ["bed", "patient"], ...bounds };
            const whole = await readPage(database, beds, { ...request, groupedFrom: 1_000 });
            const parts = await readPage(database, beds, { ...request, groupedFrom: 1 });
            expect(parts, `${order} ${JSON.stringify(filter)} ${offset}`).toEqual(whole);
          }
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
