import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Model, Table } from "../../shared/model/model.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { saveModel } from "./save-model.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "./testing/model-environment.ts";

describe.each(databases)("a table of another program beside the model, on $name", (kind) => {
  let environment: ModelEnvironment;
  beforeEach(async () => {
    environment = await createModelEnvironment(kind);
    await environment.change((model) => {
      const fields = [
        fieldOf("title"),
        fieldOf("serial", { automatic: { prefix: "J", digits: 4, start: 1 } }),
      ];
      model.tables.push(tableOf("jobs", fields));
    });
    await run(
      "create table staff (id text primary key, name text); insert into staff values ('a', 'Anna')",
    );
  });
  afterEach(() => environment[Symbol.asyncDispose]());

  const run = async (text: string) => (await environment.database.pool.query(text)).rows;
  const staff = () => run("select * from staff");
  const refusal = async (change: Promise<unknown>) =>
    change.then(
      () => "nothing",
      (error) => (error instanceof Refusal ? error.message : error),
    );
  const jobs = (tables: Table[]) => tables[0] as Table;
  /** The table of the model is dropped, and another program creates one of the same name. */
  async function replaceJobs(): Promise<void> {
    await run("drop table jobs; create table jobs (id text primary key, title text, serial text)");
    await run("insert into jobs values ('theirs', 'Theirs')");
  }

  it("is not taken over by a new table of its name", async () => {
    const add = environment.change((model) =>
      model.tables.push(tableOf("staff", [fieldOf("name")])),
    );
    expect(await refusal(add)).toContain('already has "staff"');
    expect(await staff()).toEqual([{ id: "a", name: "Anna" }]);
    expect(environment.model().version).toBe(1);
  });

  it("is not taken over by a table that is renamed to its name", async () => {
    const rename = environment.change(({ tables }) => {
      jobs(tables).name = "staff";
    });
    expect(await refusal(rename)).toContain('already has "staff"');
    expect(await run("select count(*)::int as n from jobs")).toEqual([{ n: 0 }]);
  });

  it("is reported by a dry run", async () => {
    const model = structuredClone(environment.model());
    model.tables.push(tableOf("staff", [fieldOf("name")]));
    const plan = await saveModel(environment.models, { model, by: "user:owner", dryRun: true });
    expect(plan).toMatchObject({ blocked: true, steps: [{ blocked: { rows: 0 } }] });
  });

  it.each([
    ["add a field to", (table: Table) => table.fields.push(fieldOf("more"))],
    ["remove a field from", (table: Table) => table.fields.pop()],
    ["index a field of", (table: Table) => Object.assign(table.fields[0] ?? {}, { indexed: true })],
    ["rename", (table: Table) => Object.assign(table, { name: "works" })],
  ])("is not altered by a change that would %s it", async (_, edit) => {
    await replaceJobs();
    const before = await run("select * from information_schema.columns where table_name = 'jobs'");
    expect(await refusal(environment.change(({ tables }) => void edit(jobs(tables))))).toContain(
      'did not create the table "jobs"',
    );
    expect(await run("select * from information_schema.columns where table_name = 'jobs'")).toEqual(
      before,
    );
    expect(await run("select id from jobs")).toEqual([{ id: "theirs" }]);
  });

  it("stays in the database when it leaves the model, without our triggers", async () => {
    await replaceJobs();
    await run(`create trigger watchfloor_truncate after truncate on jobs
      for each statement execute function watchfloor.new_epoch('jobs')`);
    const plan = await environment.change((model) => {
      model.tables = [];
    });
    expect(plan.steps[0]).toMatchObject({
      sentence: expect.stringContaining("stays in the database"),
    });
    expect(plan.lossy).toBe(false);
    expect(await run("select id from jobs")).toEqual([{ id: "theirs" }]);
    expect(
      await run(
        "select tgname from pg_trigger where tgrelid = 'jobs'::regclass and not tgisinternal",
      ),
    ).toEqual([]);
  });

  it("of our own is still ours after a rename, and dropped when it leaves the model", async () => {
    await environment.change(({ tables }) => {
      jobs(tables).name = "works";
    });
    await environment.change(({ tables }) => void jobs(tables).fields.push(fieldOf("more")));
    await environment.change((model) => {
      model.tables = [];
    });
    expect(await run("select to_regclass('works') as works")).toEqual([{ works: null }]);
    expect(await run("select * from watchfloor.managed_table")).toEqual([]);
  });
});

describe.each(databases)("a view of another program over the model, on $name", (kind) => {
  let environment: ModelEnvironment;
  beforeEach(async () => {
    environment = await createModelEnvironment(kind);
    await environment.change((model) => {
      model.tables.push(tableOf("jobs", [fieldOf("title"), fieldOf("notes"), fieldOf("hours")]));
    });
    await run("create schema reports");
    await run('create view reports."Open jobs" as select id, title as name from jobs');
    await run("create materialized view late as select j.hours from jobs j");
  });
  afterEach(() => environment[Symbol.asyncDispose]());

  const run = async (text: string) => (await environment.database.pool.query(text)).rows;
  const refusal = async (change: Promise<unknown>) =>
    change.then(
      () => "nothing",
      (error) => (error instanceof Refusal ? error.message : error),
    );
  const edits: [string, (model: Model) => void, string][] = [
    ["removes a field", ({ tables }) => void tables[0]?.fields.shift(), 'reports."Open jobs"'],
    [
      "gives a field another type",
      ({ tables }) => void Object.assign(tables[0]?.fields[2] ?? {}, { type: "integer" }),
      "late",
    ],
    ["removes a table", (model) => void model.tables.pop(), 'late, reports."Open jobs"'],
  ];

  it.each(edits)("is named where a publication %s, also before", async (_, edit, views) => {
    const model = structuredClone(environment.model());
    edit(model);
    const [table] = model.tables;
    if (table) table.display = table.fields[0]?.name ?? "";
    const call = { model, by: "user:owner", confirmLoss: true };
    const plan = await saveModel(environment.models, { ...call, dryRun: true });
    expect(plan.blocked).toBe(true);
    const sentences = plan.steps.flatMap(({ blocked }) => blocked?.sentence ?? []);
    expect(sentences).toEqual([expect.stringContaining(`The view ${views} of another program`)]);
    expect(await refusal(saveModel(environment.models, call))).toBe(sentences[0]);
    expect(environment.model().version).toBe(1);
    await run('drop view reports."Open jobs"; drop materialized view late');
    expect((await saveModel(environment.models, call)).version).toBe(2);
  });

  it("prevents nothing that does not change what it shows", async () => {
    await environment.change(({ tables: [jobs] }) => {
      if (!jobs) return;
      jobs.fields = jobs.fields.filter(({ name }) => name !== "notes");
      for (const field of jobs.fields) field.label = `The ${field.name}`;
      Object.assign(jobs.fields[0] ?? {}, { required: true, indexed: true });
      jobs.name = "works";
    });
    expect(await run('select * from reports."Open jobs"')).toEqual([]);
  });

  it("is not all that may depend: anything else is named once Postgres refuses", async () => {
    await run("create function titled(j jobs) returns text language sql as 'select j.notes'");
    await run('drop view reports."Open jobs"; drop materialized view late');
    const message = await refusal(environment.change((model) => void model.tables.pop()));
    expect(message).toContain("depends on this: function titled(jobs) depends on type jobs.");
  });
});
