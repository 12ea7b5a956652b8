import { expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Field, Table } from "../../shared/model/model.ts";
import { createModelEnvironment, fieldOf, tableOf } from "./testing/model-environment.ts";

it.each(databases.slice(0, 1))(
  "T11 wallboards on $name read the same fields, and displays see no field for its name alone",
  async (kind) => {
    await using environment = await createModelEnvironment(kind);
    await environment.change((model) => {
      model.tables.push(tableOf("people", [fieldOf("name"), fieldOf("salary"), fieldOf("room")]));
    });
    const filter = { field: "salary", op: "isEmpty", value: false };
    const layout = { x: 0, y: 0, w: 1, h: 1 };
    const source = { table: "people", layout, filter };
    const tiles = [
      { ...source, id: "a", kind: "breakdown", group: "room" },
      { ...source, id: "b", kind: "queue", order: ["-salary"], fields: ["name", "room"] },
      { ...source, id: "c", kind: "number", measure: { op: "distinct", field: "salary" } },
    ];
    const scopes = { people: { filter, fields: ["name", "salary", "room"] } };
    await environment.database.pool.query(
      `insert into watchfloor.wallboard (id, draft, published, published_version, scopes)
      values ('b', $1, $1, 1, $2)`,
      [JSON.stringify({ name: "B", tiles }), JSON.stringify(scopes)],
    );
    await environment.change((model) => {
      const people = model.tables[0] as Table;
      people.name = "staff";
      (people.fields[1] as Field).name = "pay";
      people.fields.splice(2, 1);
      people.fields.push(fieldOf("salary"));
    });
    await environment.change((model) => {
      model.tables[0]?.fields.push(fieldOf("room"));
    });
    const { rows } = await environment.database.pool.query("select * from watchfloor.wallboard");
    const [{ draft, published, scopes: after }] = rows;
    const renamed = { ...filter, field: "pay" };
    expect(draft.tiles).toMatchObject([
      { id: "a", table: "staff", filter: renamed, group: "room" },
      { id: "b", order: ["-pay"], fields: ["name", "room"] },
      { id: "c", measure: { field: "pay" } },
    ]);
    expect(published).toEqual(draft);
    expect(after).toEqual({ staff: { filter: renamed, fields: ["name", "pay"] } });
  },
);
