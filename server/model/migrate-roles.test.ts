import { expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Field, Table } from "../../shared/model/model.ts";
import { createModelEnvironment, fieldOf, tableOf } from "./testing/model-environment.ts";

it.each(databases.slice(0, 1))("roles on $name follow a model whose names change", async (kind) => {
  await using environment = await createModelEnvironment(kind);
  const fields = [fieldOf("name"), fieldOf("salary")];
  await environment.change((model) => model.tables.push(tableOf("people", fields)));
  const grants = { people: { read: { hide: ["salary"] } }, "*": { read: true } };
  await environment.database.pool.query(
    "insert into watchfloor.role (id, name, grants) values ('hr', 'HR', $1), ('broken', 'Broken', '7')",
    [JSON.stringify(grants)],
  );
  const things = () => environment.model().tables[0] as Table;
  await environment.change((model) => {
    const salary = model.tables[0]?.fields[1] as Field;
    salary.name = "pay";
    model.tables[0]?.fields.push(fieldOf("salary"));
  });
  expect(things().fields.map(({ name }) => name)).toEqual(["name", "pay", "salary"]);
  const { rows } = await environment.database.pool.query(
    "select grants from watchfloor.role order by id desc",
  );
  expect(rows.map((row) => row.grants)).toEqual([
    { people: { read: { hide: ["salary", "pay"] } }, "*": { read: true } },
    7,
  ]);
});
