import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Model, Table } from "../../shared/model/model.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import { serviceDesk } from "../model/templates/service-desk.ts";
import {
  type CommandEnvironment,
  createCommandEnvironment,
  testIdentity,
} from "./testing/command-environment.ts";

/** Values that other programs may store in these columns, though no edit of ours could. */
const assets: Table = {
  name: "assets",
  label: "Assets",
  recordLabel: "asset",
  display: "name",
  columns: ["name"],
  sort: ["name"],
  fields: [
    { name: "name", label: "Name", type: "text" },
    { name: "note", label: "Note", type: "longText" },
    { name: "serial", label: "Serial", type: "integer" },
    { name: "price", label: "Price", type: "decimal", scale: 2 },
    { name: "config", label: "Config", type: "json" },
    { name: "kind", label: "Kind", type: "select", options: [{ value: "a" }] },
    { name: "tags", label: "Tags", type: "multiSelect", options: [{ value: "a" }] },
    { name: "seen_at", label: "Seen", type: "timestamp" },
    { name: "colour", label: "Colour", type: "text", default: "grey" },
  ],
};
const model: Model = { ...serviceDesk, tables: [...serviceDesk.tables, assets] };
const config = '{"id": 9007199254740993, "rate": 0.1234567890123456789, "$number": "1"}';
const wireConfig = {
  id: { $number: "9007199254740993" },
  rate: { $number: "0.1234567890123456789" },
  $$number: "1",
};
const foreign = {
  serial: "9007199254740993",
  price: "123456789012345678901234567890123456.78",
  config: wireConfig,
  kind: "gone",
  tags: ["gone", null, "gone"],
  seen_at: "infinity",
};

const ann = testIdentity("ann");
const bob = testIdentity("bob");
const table = "assets";
const codeOf = (result: OpResult | undefined) =>
  result === undefined || result.ok ? "ok" : result.error.code;

describe.each(databases)("values that other programs stored, on $name", (kind) => {
  let environment: CommandEnvironment;
  let serial = 0;
  let one = "";
  let other = "";
  beforeAll(async () => {
    environment = await createCommandEnvironment(kind, model);
  });
  afterAll(() => environment[Symbol.asyncDispose]());
  beforeEach(async () => {
    serial += 1;
    [one, other] = [`one-${serial}`, `other-${serial}`];
    await environment.database.pool.query(
      `insert into assets (id, name, note, serial, price, config, kind, tags, seen_at)
       select id, 'first', '', 9007199254740993, 123456789012345678901234567890123456.78, $2::jsonb,
         'gone', '{gone,NULL,gone}', 'infinity' from unnest($1::text[]) id`,
      [[one, other], config],
    );
  });

  /** The columns in Postgres, as text. */
  const stored = async (id: string) => {
    const { rows } = await environment.database.pool.query(
      `select note, serial::text, price::text, config::text, kind, tags::text, seen_at::text, colour
       from assets where id = $1`,
      [id],
    );
    return rows[0];
  };
  const update = (record: string, set: object, base: object) =>
    ({ op: "update", table, record, set, base }) as never;
  const versionOf = async (id: string) =>
    (await environment.commands.readRecord(ann, table, id)).version;

  it("M21 returns them exactly", async () => {
    const { values } = await environment.commands.readRecord(ann, table, one);
    expect(values).toMatchObject({ ...foreign, note: null });
    const page = await environment.commands.readPage(ann, {
      table,
      filter: null,
      sort: [],
    } as never);
    expect(page.records.find(({ id }) => id === one)?.values).toEqual(values);
  });

  it("M21 writes only the fields that each edit of a group names", async () => {
    const before = await stored(one);
    const results = await Promise.all([
      environment.run(ann, update(one, { name: "second" }, { name: "first" })),
      environment.run(
        bob,
        update(
          other,
          { note: "n", serial: 1, price: "1", config: {}, kind: "a", tags: ["a"], seen_at: null },
          { note: null, ...foreign },
        ),
      ),
    ]);
    expect(results.flat().map(codeOf)).toEqual(["ok", "ok"]);
    expect(await stored(one)).toEqual(before);
    const changes = (await environment.feed(table)).filter(({ record }) => record === one);
    expect(changes.at(-1)).toMatchObject({ by: { id: "ann" }, before: { name: "first" } });
    expect(Object.keys(changes.at(-1)?.before ?? {})).toEqual(["name"]);
  });

  it("M6 lets a text be edited whose characters another program composed in another way", async () => {
    const name = "Cafe\u0301";
    await environment.database.pool.query("update assets set name = $2 where id = $1", [one, name]);
    const { values } = await environment.commands.readRecord(ann, table, one);
    for (const base of [values.name, "another"]) {
      const [result] = await environment.run(ann, update(one, { name: "Bar" }, { name: base }));
      expect(codeOf(result)).toBe(base === "another" ? "conflict" : "ok");
      await environment.database.pool.query("update assets set name = $2 where id = $1", [
        one,
        name,
      ]);
    }
  });

  it("preserves a given empty value, in a group and alone", async () => {
    const create = (record: string, values: object) =>
      ({ op: "create", table, record, values }) as never;
    const ids = ["alone", "first", "second"].map((name) => `${name}-${serial}`);
    await environment.run(ann, create(ids[0] ?? "", { colour: null }));
    await environment.run(
      ann,
      create(ids[1] ?? "", { colour: null }),
      create(ids[2] ?? "", { note: "n" }),
    );
    expect((await Promise.all(ids.map(stored))).map((row) => row.colour)).toEqual([
      null,
      null,
      "grey",
    ]);
  });

  it("restores a deleted record with them", async () => {
    const before = await stored(one);
    const version = await versionOf(one);
    expect(
      (await environment.run(ann, { op: "delete", table, record: one, version })).map(codeOf),
    ).toEqual(["ok"]);
    expect((await environment.run(ann, { op: "restore", table, record: one })).map(codeOf)).toEqual(
      ["ok"],
    );
    // Empty text and null are one value to the log.
    expect(await stored(one)).toEqual({ ...before, note: null });
  });

  it("shows them in history, and refuses to write them again if its rules do", async () => {
    const mine = { serial: 5, config: { id: 1 }, kind: "a", tags: ["a"], seen_at: null };
    expect((await environment.run(ann, update(one, mine, foreign))).map(codeOf)).toEqual(["ok"]);
    const [entry] = await environment.commands.readHistory(ann, table, one);
    const { price: _price, ...replaced } = foreign;
    for (const [name, value] of Object.entries(replaced)) {
      expect(entry?.fields[name]?.before).toEqual(value);
    }
    const repeated = await environment.run(ann, update(one, replaced, mine));
    expect(repeated.map(codeOf)).toEqual(["validation_failed"]);
  });

  it.each(["undo", "revert"] as const)(
    "M21 writes them back by an %s, exactly as they were, and nothing else that its checks refuse",
    async (origin) => {
      const spaced = { name: " cafe\u0301 ", note: "x".repeat(60_000), price: "NaN" };
      await environment.database.pool.query(
        "update assets set name = $2, note = $3, price = 'NaN' where id = $1",
        [one, spaced.name, spaced.note],
      );
      const before = await stored(one);
      const { price: _price, ...replaced } = foreign;
      const theirs = { ...replaced, ...spaced };
      const mine = {
        ...{ serial: 5, config: { id: 1 }, kind: "a", tags: ["a"], seen_at: null },
        ...{ name: "mine", note: "short", price: "1.00" },
      };
      expect((await environment.run(ann, update(one, mine, theirs))).map(codeOf)).toEqual(["ok"]);
      const writeBack = async (set: object) =>
        (await environment.commands.mutate(ann, { ops: [update(one, set, mine)], origin })).results;
      expect((await writeBack({ serial: "9007199254740995" })).map(codeOf)).toEqual([
        "validation_failed",
      ]);
      expect((await writeBack(theirs)).map(codeOf)).toEqual(["ok"]);
      expect(await stored(one)).toEqual(before);
      const { values } = await environment.commands.readRecord(ann, table, one);
      expect(values.name).toBe(spaced.name);
    },
  );

  it("restores a text as another program composed it", async () => {
    const name = " cafe\u0301";
    await environment.database.pool.query("update assets set name = $2 where id = $1", [one, name]);
    const version = await versionOf(one);
    await environment.run(ann, { op: "delete", table, record: one, version });
    await environment.run(ann, { op: "restore", table, record: one });
    expect((await environment.commands.readRecord(ann, table, one)).values.name).toBe(name);
  });

  it("answers a conflict and its repeat with their exact values", async () => {
    const call = {
      id: `conflict-${one}`,
      ops: [update(one, { config: { id: 2 }, serial: 7 }, { config: { id: 3 }, serial: 6 })],
    };
    const theirs = { config: { theirs: wireConfig }, serial: { theirs: foreign.serial } };
    for (let time = 0; time < 2; time += 1) {
      const { results } = await environment.commands.mutate(ann, call);
      expect(results[0]).toMatchObject({ ok: false, error: { code: "conflict", fields: theirs } });
    }
  });

  it("stores exactly the values of an edit", async () => {
    const exact = { config: { total: { $number: "12345678901234567890.50" } } };
    expect(
      (await environment.run(ann, update(one, exact, { config: wireConfig }))).map(codeOf),
    ).toEqual(["ok"]);
    expect((await stored(one))?.config).toBe('{"total": 12345678901234567890.50}');
    const bad = { config: { $number: "x" } };
    expect((await environment.run(ann, update(one, bad, exact))).map(codeOf)).toEqual([
      "validation_failed",
    ]);
  });
});
