import { expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Field, Table } from "../../shared/model/model.ts";
import { NAME_MAX_LENGTH } from "../../shared/model/user-text-schema.ts";
import { checkTile } from "../../shared/model/wallboard/check-tile.ts";
import type { Tile } from "../../shared/model/wallboard/tile.ts";
import { wallboardDocumentSchema } from "../../shared/model/wallboard/wallboard.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "./testing/model-environment.ts";

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
      { id: "a", table: "staff", filter: renamed, group: "room, removed" },
      { id: "b", order: ["-pay"], fields: ["name", "room, removed"] },
      { id: "c", measure: { field: "pay" } },
    ]);
    expect(published).toEqual(draft);
    expect(after).toEqual({ staff: { filter: renamed, fields: ["name", "pay"] } });
  },
);

it.each(databases.slice(0, 1))(
  "T11 tiles of a removed table on $name read no other one that takes its name, and read it again when it is restored",
  async (kind) => {
    await using environment = await createModelEnvironment(kind);
    await environment.change((model) => {
      model.tables.push(tableOf("people", [fieldOf("name")]), tableOf("rooms", [fieldOf("name")]));
    });
    const people = structuredClone(environment.model().tables[0] as Table);
    const layout = { x: 0, y: 0, w: 1, h: 1 };
    const tile = { id: "a", kind: "number", title: "People", table: "people", layout };
    const document = JSON.stringify({ name: "B", tiles: [tile] });
    await environment.database.pool.query(
      "insert into watchfloor.wallboard (id, draft, scopes) values ('b', $1, '{}')",
      [document],
    );
    const stored = async (): Promise<Tile> => {
      const { rows } = await environment.database.pool.query(
        "select draft from watchfloor.wallboard",
      );
      return rows[0].draft.tiles[0];
    };
    const isShown = async () => checkTile(await stored(), environment.model()).length === 0;
    await environment.change((model) => void model.tables.shift());
    expect(await isShown()).toBe(false);
    await environment.change((model) => {
      model.tables.push(tableOf("people", [fieldOf("salary")]));
    });
    expect(await isShown()).toBe(false);
    await environment.change((model) => {
      model.tables.push({ ...people, name: "staff" });
    });
    expect(await stored()).toMatchObject({ table: "staff", title: "People" });
    expect(await isShown()).toBe(true);
  },
);

/** A wallboard of one tile, stored as another program or an older build may have: nothing checks its names. */
async function storeTile(
  environment: ModelEnvironment,
  tile: object,
): Promise<() => Promise<Tile>> {
  const layout = { x: 0, y: 0, w: 1, h: 1 };
  const draft = JSON.stringify({ name: "B", tiles: [{ id: "a", layout, ...tile }] });
  const { pool } = environment.database;
  await pool.query("insert into watchfloor.wallboard (id, draft, scopes) values ('b', $1, '{}')", [
    draft,
  ]);
  return async () => {
    const { rows } = await pool.query("select draft from watchfloor.wallboard");
    return wallboardDocumentSchema.parse(rows[0].draft).tiles[0] as Tile;
  };
}

it.each(databases.slice(0, 1))(
  "T11 tiles of a removed table on $name read the same fields when it is restored under other names",
  async (kind) => {
    await using environment = await createModelEnvironment(kind);
    await environment.change((model) => {
      model.tables.push(tableOf("people", [fieldOf("name"), fieldOf("salary"), fieldOf("room")]));
    });
    const people = structuredClone(environment.model().tables[0] as Table);
    const stored = await storeTile(environment, {
      ...{ kind: "queue", table: "people", order: ["-salary"], fields: ["name", "room"] },
      filter: { field: "salary", op: "isEmpty", value: false },
    });
    await environment.change((model) => void model.tables.shift());
    // Restored as an older version had it, with the names of two fields exchanged, and without a third.
    const [name, salary, room] = people.fields as [Field, Field, Field];
    await environment.change((model) => {
      const fields = [
        { ...name, name: "salary" },
        { ...salary, name: "name" },
        { ...fieldOf("room"), id: "another" },
      ];
      model.tables.push({ ...people, display: "name", fields });
    });
    expect(await stored()).toMatchObject({
      table: "people",
      filter: { field: "name" },
      order: ["-name"],
      fields: ["salary", `${room.id}, removed`],
    });
  },
);

it.each(databases.slice(0, 1))(
  "T11 a tile on $name that names a table or field that does not exist reads none that gets its name later",
  async (kind) => {
    await using environment = await createModelEnvironment(kind);
    await environment.change(
      (model) => void model.tables.push(tableOf("rooms", [fieldOf("name")])),
    );
    const { pool } = environment.database;
    const long = "x".repeat(NAME_MAX_LENGTH);
    const stored = await storeTile(environment, { kind: "number", table: "people" });
    const isShown = async () => checkTile(await stored(), environment.model()).length === 0;
    await environment.change((model) => void model.tables.push(tableOf("people", [fieldOf("a")])));
    expect(await isShown()).toBe(false);
    await environment.change((model) => void model.tables[0]?.fields.push(fieldOf("b")));
    expect(await isShown()).toBe(false);
    await pool.query("delete from watchfloor.wallboard");
    const fields = { kind: "queue", table: "rooms", fields: ["name", "salary", long] };
    const queue = await storeTile(environment, fields);
    await environment.change(({ tables: [rooms] }) => {
      rooms?.fields.push(fieldOf("salary"), fieldOf(long, { label: "Long" }));
    });
    await environment.change(({ tables: [rooms] }) => void rooms?.fields.push(fieldOf("c")));
    const model = environment.model();
    const known = model.tables[0]?.fields.map((field) => field.name) ?? [];
    const { fields: read = [] } = (await queue()) as Extract<Tile, { kind: "queue" }>;
    expect(read.filter((one) => known.includes(one))).toEqual(["name"]);
    expect(checkTile(await queue(), model)).not.toEqual([]);
  },
);
