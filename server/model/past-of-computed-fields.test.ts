import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { type Field, findField, type Model, type Table } from "../../shared/model/model.ts";
import { builtInRoles, type Role } from "../../shared/policy/role.ts";
import type { Op } from "../commands/op.ts";
import { testIdentity } from "../commands/testing/command-environment.ts";
import { loadModelVersion } from "../store/models.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "./testing/model-environment.ts";

const owner = testIdentity("owner", "owner");
const [viewer] = builtInRoles.filter(({ id }) => id === "viewer") as [Role];
const grants = { lines: { read: { hide: ["cost"] }, history: true } };
const blind = testIdentity("blind", { ...viewer, id: "blind", grants });

/** What was computed from a field reveals it, also where another expression computes the field by now. */
describe.each(databases)("the past of a computed field on $name", (kind) => {
  let environment: ModelEnvironment;
  beforeAll(async () => {
    environment = await createModelEnvironment(kind);
    await environment.change((model) => {
      const margin = fieldOf("margin", { expression: 'cost & "!"' });
      model.tables.push(tableOf("lines", [fieldOf("item"), fieldOf("cost"), margin]));
    });
    const values = { item: "Nail", cost: "hidden 1" };
    await run({ op: "create", table: "lines", record: "a", values });
    await set("cost", "hidden 1", "hidden 2");
  });
  afterAll(() => environment[Symbol.asyncDispose]());

  async function run(op: Op): Promise<void> {
    const { results } = await environment.commands.mutate(owner, { ops: [op] });
    expect(results).toEqual([expect.objectContaining({ ok: true })]);
  }
  const set = (field: string, from: string, to: string) =>
    run({
      op: "update",
      table: "lines",
      record: "a",
      set: { [field]: to },
      base: { [field]: from },
    });
  const named = (table: Table, name: string) => findField(table, name) as Field;
  const compute = (expression: string) =>
    environment.change(({ tables: [table] }) => {
      named(table as Table, "margin").expression = expression;
    });
  /** Everything that is read from the log. */
  async function past(reader: typeof owner): Promise<string> {
    const { commands } = environment;
    const history = await commands.readHistory(reader, "lines", "a");
    const changes = await commands.readChanges(reader, { table: "lines" });
    const activity = await commands.readActivity(reader, {});
    return JSON.stringify([history, changes, activity]);
  }

  it("remains readable while it is computed from the same fields and more", async () => {
    await compute('cost & "!" & item');
    expect(await past(owner)).toContain("hidden 2!");
    expect(await past(blind)).not.toContain("hidden");
  });

  it("is hidden once a field that it was computed from is not read any more", async () => {
    const plan = await compute('item & "?"');
    await set("item", "Nail", "Screw");
    expect(await past(blind)).toContain("Screw?");
    expect(await past(blind)).not.toContain("hidden");
    // The sources themselves are in the history of users who may read them.
    expect(await past(owner)).toContain('"cost":{"before":null,"after":"hidden 1"}');
    expect(await past(owner)).not.toContain("hidden 2!");
    expect(plan.steps).toMatchObject([{ kind: "recomputeField" }]);
    expect(plan.steps[0]?.sentence).toContain("leave the history");
  });

  it("is hidden where a new field has the name of the removed one that it was computed from", async () => {
    await compute("item & cost");
    await set("cost", "hidden 2", "hidden 3");
    expect(await past(owner)).toContain("Screwhidden 3");
    await environment.change(({ tables: [table] }) => {
      const { fields } = table as Table;
      fields.splice(fields.indexOf(named(table as Table, "cost")), 1, {
        ...fieldOf("cost"),
        id: "another",
      });
    });
    const shown = testIdentity("seeing", {
      ...viewer,
      id: "seeing",
      grants: { "*": { read: true, history: true } },
    });
    expect(await past(shown)).not.toContain("hidden");
  });

  it("stays hidden when its table is removed and an older version is restored", async () => {
    const { version } = environment.model();
    await environment.change((model) => {
      model.tables = [];
    });
    const old = (await loadModelVersion(environment.database, version))?.document as Model;
    await environment.change((model) => model.tables.push(...old.tables));
    await run({ op: "restore", table: "lines", record: "a" });
    expect(await past(owner)).toContain('"margin":{"before":"Screw","after":null}');
    expect(await past(owner)).not.toContain("hidden");
  });
});
