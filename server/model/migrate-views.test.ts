import { expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { type Field, findTable } from "../../shared/model/model.ts";
import { checkViewSettings, type ViewSettings } from "../../shared/model/view/view.ts";
import { createModelEnvironment, fieldOf, tableOf } from "./testing/model-environment.ts";

it.each(databases.slice(0, 1))(
  "V5 views on $name show the same, without removed fields",
  async (kind) => {
    await using environment = await createModelEnvironment(kind);
    await environment.change((model) => {
      const kind = fieldOf("kind", { type: "select", options: [{ value: "a" }] });
      const fields = ["name", "salary", "room", "desk"].map((name) => fieldOf(name));
      model.tables.push(tableOf("people", [...fields, kind]));
      model.tables.push(tableOf("rooms", [fieldOf("name")]));
    });
    const is = (field: string, value: unknown = "x") => ({ field, op: "eq", value });
    const settings = {
      filter: {
        and: [is("salary"), { or: [is("room"), is("name")] }, { not: is("room") }, is("id")],
      },
      sort: ["-salary", "room", "name"],
      columns: [{ field: "room" }, { field: "salary", width: 90, summary: "distinct" }],
      group: "kind",
      grouping: { field: "salary" },
    };
    const other = {
      ...settings,
      filter: is("name", { field: "room" }),
      group: null,
      grouping: { field: "room" },
    };
    for (const [id, table, shown] of [
      ["a", "people", settings],
      ["b", "people", other],
      ["c", "rooms", { ...other, filter: null, sort: [], columns: [] }],
      ["d", "people", { something: "else" }],
    ]) {
      await environment.database.pool.query(
        `insert into watchfloor.view (id, table_name, name, shared, look) values ($1, $2, $1, true, $3)`,
        [id, table, JSON.stringify(shown)],
      );
    }
    await environment.change((model) => {
      const [people] = model.tables;
      if (!people) return;
      people.name = "staff";
      (people.fields[1] as Field).name = "pay";
      people.fields = people.fields.filter(({ name }) => name !== "room" && name !== "kind");
      people.fields.push(fieldOf("salary"));
      model.tables.length = 1;
    });
    // of the names of removed ones
    await environment.change((model) => {
      model.tables[0]?.fields.push(fieldOf("room"), fieldOf("kind"));
    });
    const { rows } = await environment.database.pool.query(
      "select * from watchfloor.view order by id",
    );
    expect(rows.map(({ id, table_name }) => [id, table_name])).toEqual([
      ["a", "staff"],
      ["b", "staff"],
      ["d", "staff"],
    ]);
    const [first, second, third] = rows.map(({ look: shown }) => shown as ViewSettings);
    expect(first).toEqual({
      filter: { and: [is("pay"), { or: [is("name")] }, is("id")] },
      sort: ["-pay", "name"],
      columns: [{ field: "pay", width: 90, summary: "distinct" }],
      group: null,
      grouping: { field: "pay" },
    });
    expect(second).toMatchObject({ filter: null, sort: ["-pay", "name"], grouping: null });
    expect(third).toEqual({ something: "else" });
    const staff = findTable(environment.model(), "staff");
    expect(staff && checkViewSettings(first as ViewSettings, staff)).toBeNull();
  },
);

it.each(databases.slice(0, 1))(
  "views and wallboards on $name show the same records when another option replaces one",
  async (kind) => {
    await using environment = await createModelEnvironment(kind);
    const options = ["low", "high", "very high"].map((value) => ({ value }));
    await environment.change((model) => {
      const fields = [fieldOf("name"), fieldOf("level", { type: "select", options })];
      model.tables.push(tableOf("jobs", fields));
    });
    const filterOf = (...values: string[]) => ({
      and: [
        { field: "level", op: "in", value: values },
        { not: { field: "level", op: "eq", value: values[0] } },
        { field: "name", op: "ne", value: "high" },
      ],
    });
    const look = (filter: object) => ({
      ...{ filter, sort: [], columns: [], group: null },
      appearance: { rules: [{ filter, colour: "red", field: null }] },
    });
    const tile = (filter: object) => ({
      ...{ id: "a", kind: "progress", table: "jobs", layout: { x: 0, y: 0, w: 1, h: 1 } },
      ...{ measure: { op: "count" }, filter, of: { filter } },
    });
    const { pool } = environment.database;
    const before = filterOf("high", "very high", "low");
    await pool.query(
      `insert into watchfloor.view (id, table_name, name, shared, look) values ('v', 'jobs', 'All', true, $1)`,
      [JSON.stringify(look(before))],
    );
    await pool.query(
      "insert into watchfloor.wallboard (id, draft, scopes) values ('b', $1, '{}')",
      [JSON.stringify({ name: "B", tiles: [tile(before)] })],
    );
    await environment.change((model) => {
      const field = findTable(model, "jobs")?.fields[1] as Field;
      field.options = [{ value: "low" }, { value: "urgent", formerly: ["high", "very high"] }];
    });
    const after = filterOf("urgent", "low");
    const [view] = (await pool.query("select look from watchfloor.view")).rows;
    expect(view.look).toEqual(look(after));
    const [wallboard] = (await pool.query("select draft from watchfloor.wallboard")).rows;
    expect(wallboard.draft.tiles).toEqual([tile(after)]);
  },
);

it.each(databases)(
  "views of the same name on $name follow tables that swap names or take that of a removed one",
  async (kind) => {
    await using environment = await createModelEnvironment(kind);
    await environment.change(({ tables }) => {
      tables.push(...["a", "b", "c"].map((name) => tableOf(name, [fieldOf("title")])));
    });
    const { pool } = environment.database;
    const views = async () =>
      (await pool.query("select id, table_name from watchfloor.view order by id")).rows.map(
        ({ id, table_name }) => `${id} ${table_name}`,
      );
    await pool.query(`insert into watchfloor."user" (id, email, name, role, colour, status)
      values ('me', 'me@example.com', 'Me', 'owner', 'blue', 'active')`);
    await pool.query(`insert into watchfloor.view (id, table_name, name, shared, owner, look)
      select n || ' ' || s, n, 'All', s, case when not s then 'me' end, '{}'
      from unnest('{a,b,c}'::text[]) n cross join unnest('{true,false}'::bool[]) s`);
    await pool.query("insert into c (id, title) values ('r', 'of c')");
    await environment.change(({ tables: [a, b] }) => {
      if (a && b) [a.name, b.name] = [b.name, a.name];
    });
    expect(await views()).toEqual([
      "a false b",
      "a true b",
      "b false a",
      "b true a",
      "c false c",
      "c true c",
    ]);
    await environment.change((model) => {
      model.tables = model.tables.filter(({ name }) => name !== "a");
      const [, c] = model.tables;
      if (c) c.name = "a";
    });
    expect(await views()).toEqual(["a false b", "a true b", "c false a", "c true a"]);
    expect((await pool.query("select title from a")).rows).toEqual([{ title: "of c" }]);
    const { rows } = await pool.query(
      "select table_id, table_name from watchfloor.feed order by table_id",
    );
    expect(rows).toEqual([
      { table_id: "a", table_name: "b" },
      { table_id: "b", table_name: null },
      { table_id: "c", table_name: "a" },
    ]);
  },
);
