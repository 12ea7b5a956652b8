import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { findField, type Table, type Values } from "../../shared/model/model.ts";
import { builtInRoles, type Role } from "../../shared/policy/role.ts";
import type { Op } from "../commands/op.ts";
import { testIdentity } from "../commands/testing/command-environment.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "./testing/model-environment.ts";

const mara = testIdentity("mara", "owner");
const ana = testIdentity("ana", "owner");

describe.each(databases)("when and by whom a record was made and changed, on $name", (kind) => {
  let environment: ModelEnvironment;
  beforeAll(async () => {
    environment = await createModelEnvironment(kind);
    const fields = [
      fieldOf("title"),
      fieldOf("done", { type: "boolean" }),
      fieldOf("twice", { expression: "title & title" }),
    ];
    await environment.change((model) => model.tables.push(tableOf("jobs", fields)));
    await run(mara, { op: "create", table: "jobs", record: "old", values: { title: "Old" } });
    await edit(ana, "old", { title: "Older" }, { title: "Old" });
    await environment.database.pool.query(
      "insert into jobs (id, title) values ('theirs', 'Theirs')",
    );
    await environment.change(({ tables: [jobs] }) =>
      (jobs as Table).fields.push(
        fieldOf("made", { type: "timestamp", recorded: "createdAt", indexed: true }),
        fieldOf("maker", { type: "person", recorded: "createdBy" }),
        fieldOf("changed", { type: "timestamp", recorded: "updatedAt" }),
        fieldOf("changer", { type: "person", recorded: "updatedBy" }),
      ),
    );
  });
  afterAll(() => environment[Symbol.asyncDispose]());

  const run = async (caller: typeof mara, op: Op) =>
    (await environment.commands.mutate(caller, { ops: [op] })).results[0];
  const edit = (caller: typeof mara, record: string, set: Values, base: Values) =>
    run(caller, { op: "update", table: "jobs", record, set, base });
  const values = async (record: string) =>
    (await environment.commands.readRecord(mara, "jobs", record)).values;
  const moment = async (record: string, name: string) =>
    Date.parse((await values(record))[name] as string);

  it("are filled for existing records, as far back as the history reaches", async () => {
    const found = await values("old");
    expect(found).toMatchObject({ maker: "mara", changer: "ana" });
    expect(await moment("old", "made")).toBeLessThan(await moment("old", "changed"));
    expect(await values("theirs")).toMatchObject({ maker: null, changer: null });
    expect((await values("theirs")).made).toBe((await values("theirs")).changed);
    const history = await environment.commands.readHistory(mara, "jobs", "old", { limit: 10 });
    expect(history).toHaveLength(2);
  });

  it("are added without a change to the triggers of other programs", async () => {
    const { pool } = environment.database;
    await environment.change((model) => model.tables.push(tableOf("notes", [fieldOf("title")])));
    await pool.query(`create function fail() returns trigger language plpgsql as
      $$ begin raise exception 'a trigger of another program'; end $$`);
    const modes = ["disable", "enable replica", "enable always", "enable"];
    for (const [index, mode] of modes.entries()) {
      await pool.query(`create trigger theirs_${index} before update on notes
        for each row execute function fail(); alter table notes ${mode} trigger theirs_${index}`);
    }
    await environment.change((model) =>
      model.tables
        .find(({ name }) => name === "notes")
        ?.fields.push(fieldOf("made", { type: "timestamp", recorded: "createdAt" })),
    );
    const { rows } = await pool.query(`select tgenabled as mode from pg_trigger
      where tgname like 'theirs%' order by tgname`);
    expect(rows.map(({ mode }) => mode)).toEqual(["D", "R", "A", "O"]);
  });

  it("are recorded for every write, by any program", async () => {
    await run(mara, { op: "create", table: "jobs", record: "new", values: { title: "New" } });
    expect(await values("new")).toMatchObject({ maker: "mara", changer: "mara" });
    const before = await values("new");
    await edit(ana, "new", { done: true }, { done: null });
    expect(await values("new")).toMatchObject({ made: before.made, maker: "mara", changer: "ana" });
    expect(await moment("new", "changed")).toBeGreaterThan(await moment("new", "made"));
    await environment.database.pool.query(
      "update jobs set title = 'Newer', made = now(), maker = 'x', changer = 'x' where id = 'new'",
    );
    const after = await values("new");
    expect(after).toMatchObject({ made: before.made, maker: "mara", changer: null });
    const { rows } = await environment.database.pool.query(
      "update jobs set title = 'Newer', changed = null where id = 'new' returning changer",
    );
    expect(rows).toHaveLength(1);
    expect(await values("new")).toEqual(after);
  });

  it("name each author of a group that is committed together", async () => {
    const users = ["a", "b", "c", "d"].map((id) => testIdentity(id, "owner"));
    await Promise.all(
      users.map((caller) =>
        run(caller, { op: "create", table: "jobs", record: `by ${caller.subject.id}`, values: {} }),
      ),
    );
    const found = await Promise.all(users.map(({ subject }) => values(`by ${subject.id}`)));
    expect(found.map(({ maker }) => maker)).toEqual(["a", "b", "c", "d"]);
  });

  it("are found, sorted and counted like any other, and written by nobody", async () => {
    const query = { table: "jobs", search: "", offset: 0, limit: 10, sort: ["-made"] };
    const filter = { field: "maker", op: "eq" as const, value: "$me" };
    const page = await environment.commands.readPage(mara, { ...query, filter });
    expect(page.records.map(({ id }) => id)).toEqual(["new", "old"]);
    const call = { table: "jobs", measures: [{ op: "count" as const }], group: "maker" };
    const { rows: counts } = await environment.commands.readSummary(mara, call);
    expect(counts).toContainEqual(expect.objectContaining({ key: "mara", value: 2 }));
    const refused = { ok: false, error: { fields: { maker: { rule: "readOnly" } } } };
    expect(await edit(mara, "new", { maker: "ana" }, { maker: "mara" })).toMatchObject(refused);
    const create: Op = { op: "create", table: "jobs", values: { maker: "ana" } };
    expect(await run(mara, create)).toMatchObject(refused);
  });

  it("of a restored record: created by its creator, changed by who restored it", async () => {
    const { made } = await values("new");
    const { version } = await environment.commands.readRecord(mara, "jobs", "new");
    await run(ana, { op: "delete", table: "jobs", record: "new", version });
    expect(await run(ana, { op: "restore", table: "jobs", record: "new" })).toMatchObject({
      ok: true,
    });
    expect(await values("new")).toMatchObject({ made, maker: "mara", changer: "ana" });
  });

  it("serve row rights: users who see only their own can create some; they reveal nothing of hidden fields", async () => {
    const editor = builtInRoles.find(({ id }) => id === "editor") as Role;
    const own = { field: "maker", op: "eq" as const, value: "$me" };
    const grants = {
      jobs: { read: { filter: own, hide: ["done"] }, create: true, update: true },
    };
    const rob = testIdentity("rob", { ...editor, id: "own", grants });
    const made = await run(rob, { op: "create", table: "jobs", record: "his", values: {} });
    expect(made).toMatchObject({ ok: true });
    const { values: visible } = await environment.commands.readRecord(rob, "jobs", "his");
    expect(Object.keys(visible)).toEqual(["title", "twice", "made", "maker"]);
    await expect(environment.commands.readRecord(rob, "jobs", "old")).rejects.toThrow();
  });

  it("become editable with their values, and recorded again without a loss", async () => {
    const { made } = await values("old");
    const set = (recorded?: "createdAt") =>
      environment.change(({ tables: [jobs] }) => {
        const field = findField(jobs as Table, "made");
        if (!field) throw new Error("There is no such field.");
        if (recorded) field.recorded = recorded;
        else delete field.recorded;
      });
    expect(await set()).toMatchObject({ lossy: false, steps: [{ kind: "constrainField" }] });
    const givenTime = "2001-02-03T04:05:06+00:00";
    expect(await edit(mara, "old", { made: givenTime }, { made: made ?? null })).toMatchObject({
      ok: true,
    });
    expect(await set("createdAt")).toMatchObject({ lossy: false });
    expect(await values("old")).toMatchObject({ made: givenTime });
    await environment.change(({ tables: [jobs] }) => {
      (jobs as Table).fields = (jobs as Table).fields.filter(({ recorded }) => !recorded);
    });
    expect(await edit(mara, "old", { title: "Last" }, { title: "Older" })).toMatchObject({
      ok: true,
    });
  });

  it("cause no unrelated failure", () => {
    expect(environment.errors).toEqual([]);
  });
});
