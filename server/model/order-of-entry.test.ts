import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Op } from "../commands/op.ts";
import { testIdentity } from "../commands/testing/command-environment.ts";
import { completeTables } from "../store/ddl/complete-tables.ts";
import { readMisfits } from "../store/model-fit.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "./testing/model-environment.ts";

const owner = testIdentity("owner", "owner");
const table = "jobs";

describe.each(databases)("the order of entry on $name", (kind) => {
  let environment: ModelEnvironment;
  beforeEach(async () => {
    environment = await createModelEnvironment(kind);
    await environment.change((model) => {
      model.tables.push(tableOf(table, [fieldOf("title"), fieldOf("kind", { indexed: true })]));
    });
  });
  afterEach(async () => {
    expect(environment.errors).toEqual([]);
    await environment[Symbol.asyncDispose]();
  });

  const query = async (text: string) => (await environment.database.pool.query(text)).rows;
  const run = async (...ops: Op[]) => {
    const { results } = await environment.commands.mutate(owner, { ops });
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    return results.map((result) => (result.ok ? result.record : ""));
  };
  let ids = 99;
  /** Their ids are chosen at random, or in another order than theirs. */
  const create = (...titles: string[]) =>
    run(
      ...titles.map((title, n): Op => {
        ids -= 1;
        const record = n % 2 ? {} : { record: `${ids}` };
        return { op: "create", table, ...record, values: { title, kind: "same" } };
      }),
    );
  const titles = async (sort: string[] = []) => {
    const { records } = await environment.commands.readPage(owner, { table, sort });
    return records.map(({ values }) => values.title);
  };
  const idOf = async (title: string) =>
    (await query(`select id from jobs where title = '${title}'`))[0]?.id as string;
  const remove = async (title: string) => {
    const record = await idOf(title);
    await run({ op: "delete", table, record, overwrite: true });
    return record;
  };

  it("is the one in which records were created, and breaks the ties of other orders", async () => {
    await create("c", "a", "e", "b", "d");
    await query(
      "insert into jobs values ('0', 'by position', 'same'), ('00', 'and later', 'same')",
    );
    const all = ["c", "a", "e", "b", "d", "by position", "and later"];
    expect(await titles()).toEqual(all);
    expect(await titles(["kind"])).toEqual(all);
    expect(await titles(["-kind"])).toEqual(all);
    const record = await idOf("a");
    await run({ op: "update", table, record, set: { title: "z" }, base: { title: "a" } });
    expect((await titles())[1]).toBe("z");
  });

  it("has a record that is restored in its place, and one that is created under its id at the end", async () => {
    await create("a", "b", "c", "d");
    const [b, c] = [await remove("b"), await remove("c")];
    await run({ op: "create", table, record: c, values: { title: "another c" } });
    await create("e");
    await run({ op: "restore", table, record: b });
    expect(await titles()).toEqual(["a", "b", "d", "another c", "e"]);
  });

  it("is that of the former records when a removed table is restored with them", async () => {
    await create("a", "b", "c");
    const ids = [await idOf("a"), await idOf("b"), await idOf("c")];
    const before = structuredClone(environment.model());
    await environment.change((model) => {
      model.tables = [];
    });
    await environment.change((model) => {
      model.tables = before.tables;
    });
    await create("new");
    for (const record of ids.toReversed()) await run({ op: "restore", table, record });
    expect(await titles()).toEqual(["a", "b", "c", "new"]);
  });

  it("is in no answer: its numbers would show how many records are hidden", async () => {
    const [record = ""] = await create("a");
    await run({ op: "update", table, record, set: { title: "b" }, base: { title: "a" } });
    const { commands } = environment;
    const answers = [
      await commands.readPage(owner, { table }),
      await commands.readRecord(owner, table, record),
      await commands.readHistory(owner, table, record),
    ];
    expect(JSON.stringify(answers)).not.toMatch(/entry/i);
  });

  it("has an index, as every order of a field has one with its numbers", async () => {
    const definitions = async () =>
      (await query("select indexdef from pg_indexes where tablename = 'jobs' order by 1")).map(
        ({ indexdef }) => String(indexdef).replace(/.* USING btree /, ""),
      );
    const expected = [
      "(id)",
      "(watchfloor_entry)",
      expect.stringMatching(/kind.*, watchfloor_entry\)$/),
    ];
    const inOrder = async () => (await definitions()).sort((a, b) => a.length - b.length);
    expect(await inOrder()).toEqual(expected);
    for (const { indexname } of await query(
      "select indexname from pg_indexes where tablename = 'jobs' and indexname like '%index'",
    )) {
      await query(`drop index "${indexname}"`);
    }
    await completeTables(environment.database, environment.model);
    expect(await inOrder()).toEqual(expected);
  });

  it("begins in a table that was created anew by hand and registered, and is missed until then", async () => {
    await create("a");
    await query(`drop table jobs; create table jobs (id text collate "C" primary key, title text, kind text);
      insert into jobs values ('2', 'c'), ('1', 'b');
      insert into watchfloor.managed_table (relation) values ('jobs')`);
    expect(await readMisfits(environment.database.kysely, environment.model())).toEqual([
      { table, field: null, column: "watchfloor_entry", type: null },
    ]);
    await completeTables(environment.database, environment.model);
    await query("insert into jobs (id, title) values ('0', 'd')");
    expect(await titles()).toEqual(["b", "c", "d"]);
  });

  it("gives a field that is called like its column another column", async () => {
    await environment.change((model) => {
      model.tables[0]?.fields.push(fieldOf("watchfloor_entry"));
    });
    const values = { watchfloor_entry: "typed" };
    await run({ op: "create", table, record: "own", values });
    const { records } = await environment.commands.readPage(owner, { table });
    expect(records).toMatchObject([{ id: "own", values }]);
  });
});
