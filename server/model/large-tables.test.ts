import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../e2e/harness/until.ts";
import { databases } from "../../e2e/provision/databases.ts";
import { assignIdentities } from "../../shared/model/assign-identities.ts";
import type { Model } from "../../shared/model/model.ts";
import { planModel } from "../../shared/model/plan-model.ts";
import { testIdentity } from "../commands/testing/command-environment.ts";
import { BUILDER_LOCK } from "../store/ddl/builder-lock.ts";
import { completeTables } from "../store/ddl/complete-tables.ts";
import { withPreparedPlan } from "../store/ddl/prepare-plan.ts";
import { usedNames } from "../store/models.ts";
import { saveModel } from "./save-model.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "./testing/model-environment.ts";

const ann = testIdentity("ann");

describe.each(databases)("a large table on $name", (kind) => {
  let environment: ModelEnvironment;
  beforeAll(async () => {
    environment = await createModelEnvironment(kind);
    await environment.change((model) => {
      model.tables = [
        tableOf("jobs", [fieldOf("title"), fieldOf("padding"), fieldOf("area")]),
        tableOf("areas", [fieldOf("name")]),
      ];
    });
    await run("insert into areas (id) values ('north')");
    await run(`alter table jobs disable trigger user`);
    await run(`insert into jobs (id, title, padding, area)
      select 'j' || n, n::text, repeat('x', 1500), 'north' from generate_series(1, 26000) n`);
    await run(`alter table jobs enable trigger user`);
  });
  afterAll(() => environment[Symbol.asyncDispose]());

  const run = async (text: string) => (await environment.database.pool.query(text)).rows;
  const asSuperuser = async (text: string) => {
    const client = new pg.Client({ connectionString: environment.adminUrl });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  const indexes = async () => {
    const rows = await run(`select c.relname as name, i.indisvalid as valid from pg_index i
      join pg_class c on c.oid = i.indexrelid
      where i.indrelid = 'jobs'::regclass and not i.indisprimary and c.relname not like '%watchfloor_entry%'`);
    return rows.map(({ name, valid }) => `${name.replace(/.*_/, "")} ${valid}`).toSorted();
  };
  const edit = async (title: string) => {
    const op = { op: "update", table: "jobs", record: "j1", set: { title }, overwrite: true };
    return (await environment.commands.mutate(ann, { ops: [op as never] })).results[0];
  };

  const builders = () =>
    run(`select pid from pg_stat_activity
      where application_name = 'watchfloor builder' and datname = current_database()`);

  it("is edited while its indexes are built and its links are checked", async () => {
    // Another program's transaction, which an index build has to wait for.
    const program = await environment.database.connect();
    await program.query("begin");
    await program.query("update areas set name = 'busy'");
    await environment.change((model) => {
      const [jobs] = model.tables;
      if (!jobs) throw new Error("There is no table.");
      jobs.fields = jobs.fields.map((field) => {
        if (field.name === "title") return { ...field, indexed: true };
        return field;
      });
    });
    expect(await indexes()).toEqual([]);
    await program.query("update jobs set padding = 'held' where id = 'j2'");
    const building = completeTables(environment.database, environment.model);
    await until("the build waits", 60_000, async () => (await indexes()).includes("index false"));
    expect(await edit("while it is built")).toMatchObject({ ok: true });
    // Another server waits for its turn, and not in a way that the build waits for it.
    const waiting = completeTables(environment.database, environment.model);
    await until("another server waits", 60_000, async () => (await builders()).length === 2);
    await program.query("commit");
    await program.end();
    await Promise.all([building, waiting]);
    expect(await indexes()).toEqual(["index true"]);
  });

  it("gets a link that is validated afterwards", async () => {
    await environment.change((model) => {
      const [jobs] = model.tables;
      const area = jobs?.fields.find(({ name }) => name === "area");
      if (area) Object.assign(area, { type: "link", target: "areas" });
    });
    const validated = async () =>
      (
        await run(
          "select convalidated from pg_constraint where conrelid = 'jobs'::regclass and contype = 'f'",
        )
      ).map(({ convalidated }) => convalidated);
    expect(await validated()).toEqual([false]);
    expect(await edit("before")).toMatchObject({ ok: true });
    await completeTables(environment.database, environment.model);
    expect(await validated()).toEqual([true]);
    expect(await indexes()).toEqual(["index true", "links true"]);
  });

  it("gets an index again whose build was interrupted", async () => {
    await asSuperuser(`update pg_index set indisvalid = false
      where indexrelid = (select indexrelid from pg_index i join pg_class c on c.oid = i.indexrelid
        where indrelid = 'jobs'::regclass and relname like '%title%\\_index')`);
    expect(await indexes()).toEqual(["index false", "links true"]);
    await completeTables(environment.database, environment.model);
    expect(await indexes()).toEqual(["index true", "links true"]);
    await completeTables(environment.database, environment.model);
  });

  const objects = async () =>
    run(`select conname as name from pg_constraint
      where conrelid = 'jobs'::regclass and contype in ('u', 'c')
      union all select attname from pg_attribute
      where attrelid = 'jobs'::regclass and attnum > 0 and not attisdropped and attnotnull and attname <> 'watchfloor_entry'
      union all select relname from pg_index i join pg_class c on c.oid = i.indexrelid
      where indrelid = 'jobs'::regclass and relname like '%\\_key' order by 1`);
  const become = (name: string, more: object) =>
    environment.change((model) => {
      const field = model.tables[0]?.fields.find((one) => one.name === name);
      Object.assign(field ?? {}, more);
    });
  /** Another program has an old snapshot, and an index build waits for it. */
  const whileHeld = async (work: () => Promise<unknown>, meanwhile: () => Promise<void>) => {
    const program = await environment.database.connect();
    await program.query("begin isolation level repeatable read; select from areas");
    const working = work();
    working.catch(() => undefined);
    await until("the build waits", 60_000, async () => {
      return (await run("select from pg_index where not indisvalid")).length > 0;
    });
    await meanwhile();
    await program.query("commit");
    await program.end();
    return working;
  };

  it("is edited while a field becomes unique and required", async () => {
    const before = await objects();
    await whileHeld(
      () => become("title", { unique: true, required: true }),
      async () => expect(await edit("while it becomes unique")).toMatchObject({ ok: true }),
    );
    const names = (await objects()).map(({ name }) => name.replace(/.*_/, ""));
    expect(names.toSorted()).toEqual(["id", "key", "key", "title"]);
    expect(names).toHaveLength(before.length + 3);
    expect(await run("select title from jobs where id = 'j1'")).toEqual([
      { title: "while it becomes unique" },
    ]);
    expect(await edit("7")).toMatchObject({ ok: false, error: { code: "duplicate" } });
    await expect(run("update jobs set title = null where id = 'j3'")).rejects.toThrow("null");
  });

  it("is edited while it gets a new unique field", async () => {
    await whileHeld(
      () =>
        environment.change(
          ({ tables }) => void tables[0]?.fields.push(fieldOf("code", { unique: true })),
        ),
      async () => expect(await edit("while a field is added")).toMatchObject({ ok: true }),
    );
    const set = { code: "A" };
    const code = (record: string) =>
      ({ op: "update", table: "jobs", record, set, overwrite: true }) as never;
    const { results } = await environment.commands.mutate(ann, { ops: [code("j1"), code("j2")] });
    expect(results).toMatchObject([{ ok: true }, { ok: false, error: { code: "duplicate" } }]);
    expect(await run("select from pg_description where description like 'Watchfloor%'")).toEqual(
      [],
    );
  });

  it("is unchanged if a record was emptied meanwhile", async () => {
    const before = await objects();
    const { version } = environment.model();
    await run("update jobs set padding = id");
    const failing = whileHeld(
      () => become("padding", { unique: true, required: true }),
      async () => void (await run("update jobs set padding = null where id = 'j4'")),
    );
    await expect(failing).rejects.toMatchObject({ code: "validation_failed" });
    expect(await objects()).toEqual(before);
    expect(environment.model().version).toBe(version);
  });

  /** Everything is built ahead for a model that is not published, because its server is killed. */
  const preparedAndKilled = async (edit: (model: Model) => void) => {
    const { database } = environment;
    const from = environment.model();
    const next = structuredClone(from);
    edit(next);
    const to = assignIdentities(from, next, await usedNames(database, from));
    const builder = "from pg_stat_activity where application_name = 'watchfloor builder'";
    const held = `select from pg_locks where locktype = 'advisory' and objid = ${BUILDER_LOCK} and granted`;
    const killed = new Error("killed");
    const publishing = withPreparedPlan(
      database,
      planModel(from, to),
      { from, to, unmanaged: new Set() },
      async () => {
        expect(await run(`${held} and pid in (select pid ${builder})`)).toHaveLength(1);
        await run(`select pg_terminate_backend(pid) ${builder} and datname = current_database()`);
        throw killed;
      },
    );
    await expect(publishing).rejects.toThrow();
  };

  it("is freed of what a killed server built ahead", async () => {
    await run("update jobs set padding = id where padding is null");
    const before = await objects();
    await preparedAndKilled(({ tables }) => {
      tables[0]?.fields.push(fieldOf("extra", { unique: true }));
      const padding = tables[0]?.fields.find(({ name }) => name === "padding");
      Object.assign(padding ?? {}, { required: true, unique: true });
    });
    expect(await objects()).toHaveLength(before.length + 3);
    await expect(run("update jobs set padding = null where id = 'j5'")).rejects.toThrow("_filled");
    await completeTables(environment.database, environment.model);
    expect(await objects()).toEqual(before);
    await run("update jobs set padding = null where id = 'j5'");
  });

  it("gets a field of the name of one that a killed server built ahead", async () => {
    await preparedAndKilled(({ tables }) => {
      tables[0]?.fields.push(fieldOf("extra", { unique: true }));
    });
    await environment.change(({ tables }) => void tables[0]?.fields.push(fieldOf("extra")));
    expect(await run("select from jobs where extra is not null")).toEqual([]);
  });

  it("is not touched by a plan whose loss is not confirmed", async () => {
    const program = await environment.database.connect();
    await program.query("begin; lock table jobs in share mode");
    const model = structuredClone(environment.model());
    const [jobs] = model.tables;
    if (!jobs) return expect.unreachable();
    jobs.fields = jobs.fields.filter(({ name }) => name !== "area");
    jobs.fields.push(fieldOf("another", { unique: true }));
    await expect(saveModel(environment.models, { model, by: "user:owner" })).rejects.toMatchObject({
      detail: { rule: "lossy" },
    });
    await program.query("rollback");
    await program.end();
  });
});
