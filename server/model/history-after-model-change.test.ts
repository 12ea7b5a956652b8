import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { defaultLimits } from "../../shared/limits.ts";
import { assignIdentities } from "../../shared/model/assign-identities.ts";
import {
  type Field,
  findField,
  findTable,
  type Model,
  type Table,
} from "../../shared/model/model.ts";
import { planModel } from "../../shared/model/plan-model.ts";
import type { PlanStep } from "../../shared/model/plan-step.ts";
import type { Op } from "../commands/op.ts";
import { testIdentity } from "../commands/testing/command-environment.ts";
import { loadModelVersion } from "../store/models.ts";
import { sweepLog } from "../store/sweep-log.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "./testing/model-environment.ts";

const owner = testIdentity("owner", "owner");
const options = ["New", "Done"].map((value) => ({ value }));

/** One change of the model for each kind of step, in order. */
const changes: [PlanStep["kind"], (table: Table, model: Model) => void][] = [
  ["addTable", (_, model) => model.tables.push(tableOf("others", [fieldOf("name")]))],
  ["addField", (table) => table.fields.push(fieldOf("note"))],
  ["renameField", (table) => Object.assign(field(table, "place"), { name: "location" })],
  ["retypeField", (table) => Object.assign(field(table, "size"), { type: "integer" })],
  ["recomputeField", (table) => Object.assign(field(table, "twice"), { expression: "size * 2" })],
  ["constrainField", (table) => Object.assign(field(table, "title"), { required: true })],
  ["replaceOptions", (table) => Object.assign(field(table, "state"), { options: [options[1]] })],
  ["describeField", (table) => Object.assign(field(table, "title"), { label: "What" })],
  ["orderFields", (table) => table.fields.reverse()],
  ["describeTable", (table) => Object.assign(table, { label: "Work" })],
  ["removeField", (table) => table.fields.splice(table.fields.indexOf(field(table, "note")), 1)],
  ["renameTable", (table) => Object.assign(table, { name: "tasks" })],
];

function field(table: Table, name: string): Field {
  return findField(table, name) as Field;
}

describe.each(databases)("the history of a table on $name", (kind) => {
  let environment: ModelEnvironment;
  let jobs = "";
  beforeAll(async () => {
    environment = await createModelEnvironment(kind);
    const fields = [
      fieldOf("title"),
      fieldOf("place"),
      fieldOf("size"),
      fieldOf("twice", { type: "integer", expression: "1" }),
      fieldOf("state", { type: "select", options }),
    ];
    await environment.change((model) => model.tables.push(tableOf("jobs", fields)));
    jobs = "jobs";
    const values = { title: "One", place: "Here", size: "4", state: "Done" };
    await run({ op: "create", table: jobs, record: "retained", values });
    const base = { place: "Here" };
    await run({ op: "update", table: jobs, record: "retained", set: { place: "There" }, base });
    await run({ op: "create", table: jobs, record: "gone", values });
    await remove();
  });
  afterAll(() => environment[Symbol.asyncDispose]());

  async function run(op: Op): Promise<void> {
    const { results } = await environment.commands.mutate(owner, { ops: [op] });
    expect(results).toEqual([expect.objectContaining({ ok: true })]);
  }
  async function remove(): Promise<void> {
    const { version } = await environment.commands.readRecord(owner, jobs, "gone");
    await run({ op: "delete", table: jobs, record: "gone", version });
  }
  const sweep = () => sweepLog(environment.database, defaultLimits.LOG_KEEP_MS);
  /** Each entry by what no change of the model can alter: where, when, by whom, and its title. */
  const historyOf = async (record: string) =>
    (await environment.commands.readHistory(owner, jobs, record)).map(
      ({ seq, kind: what, at, by, fields }) => ({ seq, what, at, by, title: fields.title }),
    );
  const logged = async () => {
    const { rows } = await environment.database.pool.query(
      "select count(*)::int as n from watchfloor.change",
    );
    return rows[0].n as number;
  };

  it.each(changes)(
    "is the same after %s and a sweep, and the deleted come back",
    async (step, change) => {
      const before = [await historyOf("retained"), await historyOf("gone")];
      const entries = await logged();
      const stored = environment.model();
      const next = structuredClone(stored);
      change(findTable(next, jobs) as Table, next);
      const unused = { tables: [], fields: {} };
      const steps = planModel(stored, assignIdentities(stored, next, unused));
      expect(steps.map(({ kind: made }) => made)).toContain(step);

      await environment.change((model) => change(findTable(model, jobs) as Table, model));
      if (step === "renameTable") jobs = "tasks";
      await sweep();

      expect(await logged()).toBe(entries);
      expect([await historyOf("retained"), await historyOf("gone")]).toEqual(before);
      await run({ op: "restore", table: jobs, record: "gone" });
      expect((await environment.commands.readRecord(owner, jobs, "gone")).values.title).toBe("One");
      await remove();
    },
  );

  it("is in the log and in the activity from its first change on, across all of these steps", async () => {
    const { items, epoch, seq, head } = await environment.commands.readChanges(owner, {
      table: jobs,
      limit: 2,
    });
    expect(items.map(({ kind: what, record }) => [what, record])).toEqual([
      ["insert", "retained"],
      ["update", "retained"],
    ]);
    const rest = await environment.commands.readChanges(owner, {
      table: jobs,
      after: `${epoch}.${seq}`,
    });
    expect(rest.items.at(-1)?.seq).toBe(head);
    const latest = await environment.commands.readActivity(owner, {});
    expect(latest.items.map(({ seq: at }) => at)).toContain(1);
  });

  it("is the same after the table was emptied by TRUNCATE", async () => {
    const [before, entries] = [await historyOf("retained"), await logged()];
    await environment.database.pool.query("truncate tasks");
    await sweep();
    expect(await logged()).toBe(entries);
    await run({ op: "create", table: jobs, record: "retained", values: { title: "Again" } });
    expect((await historyOf("retained")).slice(1)).toEqual(before);
  });

  it("returns with a removed table whose old version is published again, records included", async () => {
    const before = await historyOf("retained");
    const { version } = environment.model();
    await environment.change((model) => {
      model.tables = model.tables.filter(({ name }) => name !== jobs);
    });
    await sweep();
    const old = (await loadModelVersion(environment.database, version))?.document as Model;
    await environment.change((model) => model.tables.push(findTable(old, jobs) as Table));

    const [removal, ...earlier] = await historyOf("retained");
    expect(removal).toMatchObject({ what: "delete", by: { kind: "user", id: "owner" } });
    expect(earlier).toEqual(before);
    await run({ op: "restore", table: jobs, record: "retained" });
    expect((await environment.commands.readRecord(owner, jobs, "retained")).values.title).toBe(
      "Again",
    );
  });

  it("belongs to one table: a new one of the same name begins without history", async () => {
    await environment.change((model) => {
      model.tables = model.tables.filter(({ name }) => name !== jobs);
    });
    await environment.change((model) => model.tables.push(tableOf(jobs, [fieldOf("title")])));
    await run({ op: "create", table: jobs, record: "retained", values: { title: "New" } });
    expect(await historyOf("retained")).toHaveLength(1);
    const restored = await environment.commands.mutate(owner, {
      ops: [{ op: "restore", table: jobs, record: "gone" }],
    });
    expect(restored.results[0]).toMatchObject({ ok: false, error: { code: "not_found" } });
  });
});
