import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { writtenName } from "../../shared/model/expression/rename-in-expression.ts";
import type { Field, Table } from "../../shared/model/model.ts";
import { testIdentity } from "../commands/testing/command-environment.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "./testing/model-environment.ts";

/** Names that would be something else in SQL, in an address or in JavaScript, if they ever got there as text. */
const names = [
  'quo"ted',
  '""',
  "apos'trophe",
  "'; drop table watchfloor.change; --",
  "select",
  "user",
  "table",
  "order",
  "$1",
  "$capture$",
  "%s %I %L",
  "back\\slash",
  "a.b.c",
  "a/b?c#d",
  "[in] brackets]",
  "{}",
  "ctid",
  "xmin",
  "Größe",
  "名前",
  "😀",
  "x".repeat(63),
  "ä".repeat(31),
];
const owner = testIdentity("owner", "owner");

describe.each(databases.slice(0, 1))("hostile names on $name", (kind) => {
  let environment: ModelEnvironment;
  beforeAll(async () => {
    environment = await createModelEnvironment(kind);
    await environment.change((model) => {
      model.tables = names.map((name) => tableOf(name, fields(), { display: names[0] ?? "" }));
    });
  });
  afterAll(() => environment[Symbol.asyncDispose]());

  /** Each name as a field of its own, the longest ones beyond what a column can be called. */
  function fields(): Field[] {
    const all = [...names, "y".repeat(64), "z".repeat(120)].map((name) =>
      fieldOf(name, { indexed: true }),
    );
    const expression = all.map(({ name }) => writtenName(name)).join(" & ");
    const recorded = fieldOf(`"; '$1`, { type: "timestamp", recorded: "updatedAt" });
    return [...all, recorded, fieldOf("computed field", { type: "longText", expression })];
  }

  it.each(names)("work for a table and its fields: %s", async (table) => {
    const values = Object.fromEntries(
      fields()
        .slice(0, -2)
        .map(({ name }, at) => [name, `${at};`]),
    );
    const create = { op: "create", table, record: "r", values } as const;
    const edits = Object.keys(values).map((name) => ({
      op: "update" as const,
      table,
      record: "r",
      set: { [name]: `${values[name]}!` },
      base: { [name]: values[name] ?? null },
    }));
    const { results } = await environment.commands.mutate(owner, { ops: [create, ...edits] });
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    const and = Object.entries(values).map(([field, value]) => ({
      field,
      op: "eq" as const,
      value: `${value}!`,
    }));
    const sort = Object.keys(values).map((name, at) => (at % 2 ? `-${name}` : name));
    const page = await environment.commands.readPage(owner, {
      table,
      filter: { and },
      sort: sort.slice(0, 5),
    });
    expect(page.records).toMatchObject([
      {
        id: "r",
        values: {
          "computed field": Object.values(values)
            .map((value) => `${value}!`)
            .join(""),
        },
      },
    ]);
    const call = { table, group: sort[0] ?? "", measures: [{ op: "count" as const }] };
    const { rows } = await environment.commands.readSummary(owner, call);
    expect(rows).toMatchObject([{ value: 1 }]);
    const history = await environment.commands.readHistory(owner, table, "r", { limit: 100 });
    expect(history).toHaveLength(1 + edits.length);
  });

  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
  const columnOf = (name: string) =>
    environment.model().tables[0]?.fields.find((field) => field.name === name)?.column ?? "";

  it("are columns and tables of Postgres that other programs can write", async () => {
    for (const name of names) {
      const text = `insert into ${quoted(name)} (id, ${quoted(columnOf(name))}) values ('p', 'x')`;
      await environment.database.pool.query(text);
      const { values } = await environment.commands.readRecord(owner, name, "p");
      expect(values[name]).toBe("x");
    }
  });

  it("are put in order where a trigger of another program writes to the row that fired it", async () => {
    const { pool } = environment.database;
    for (const name of names) {
      const [table, column] = [quoted(name), quoted(columnOf(name))];
      await pool.query(`
        create or replace function make_upper() returns trigger language plpgsql as $make$ begin
          update ${table} set ${column} = 'X' where id = new.id; return null; end $make$;
        create trigger make_upper after insert on ${table} for each row execute function make_upper();
        insert into ${table} (id, ${column}) values ('t', 'x');
        drop trigger make_upper on ${table}`);
      const history = await environment.commands.readHistory(owner, name, "t", { limit: 10 });
      expect(history.map(({ kind }) => kind)).toEqual(["update", "insert"]);
    }
  });

  it.each<[string, (table: Table) => unknown, RegExp]>([
    [
      "clash after folding",
      (table) => table.fields.push(fieldOf("GRÖSSE"), fieldOf("größe")),
      /look the same/,
    ],
    [
      "clash after folding of width",
      (table) => table.fields.push(fieldOf("ａｂ"), fieldOf("AB")),
      /look the same/,
    ],
    [
      "are longer than Postgres keeps",
      (table) => Object.assign(table, { name: "ä".repeat(32) }),
      /longer than 63 bytes/,
    ],
    ["can't be seen", (table) => table.fields.push(fieldOf("a\u200bb")), /can't be seen/],
    ["hold NUL", (table) => table.fields.push(fieldOf("a\0b")), /can't be seen or stored/],
    ["are not composed", (table) => table.fields.push(fieldOf("e\u0301")), /normal form/],
    ["mean an order", (table) => table.fields.push(fieldOf("-x")), /descending/],
    ["separate names", (table) => table.fields.push(fieldOf("a,b")), /comma/],
    ["every object has", (table) => table.fields.push(fieldOf("__proto__")), /reserved/],
    ["every object has, too", (table) => table.fields.push(fieldOf("constructor")), /reserved/],
    ["are every record's", (table) => table.fields.push(fieldOf("id")), /"id" already/],
    ["are a folder", (table) => Object.assign(table, { name: ".." }), /reserved/],
  ])("that %s are refused with a sentence", async (_, edit, sentence) => {
    const change = environment.change((model) => edit(model.tables[0] as Table));
    await expect(change).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringMatching(sentence),
    });
  });

  it("cause no unrelated failure", async () => {
    expect(environment.errors).toEqual([]);
    await environment.database.pool.query("select count(*) from watchfloor.change");
  });
});
