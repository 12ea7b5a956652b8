import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { type Field, findField, type Table, type Values } from "../../shared/model/model.ts";
import { builtInRoles } from "../../shared/policy/role.ts";
import type { Op } from "../commands/op.ts";
import { testIdentity } from "../commands/testing/command-environment.ts";
import { saveModel } from "./save-model.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "./testing/model-environment.ts";

const owner = testIdentity("owner", "owner");

describe.each(databases)("a computed field on $name", (kind) => {
  let environment: ModelEnvironment;
  beforeAll(async () => {
    environment = await createModelEnvironment(kind);
    const fields = [
      fieldOf("item"),
      fieldOf("quantity", { type: "integer" }),
      fieldOf("price", { type: "money" }),
    ];
    await environment.change((model) => model.tables.push(tableOf("lines", fields)));
    await run({
      op: "create",
      table: "lines",
      record: "a",
      values: { item: "Nail", quantity: 100, price: "0.05" },
    });
    await run({ op: "create", table: "lines", record: "b", values: { item: "Saw", price: "9" } });
  });
  afterAll(() => environment[Symbol.asyncDispose]());

  const run = async (op: Op, caller = owner) =>
    (await environment.commands.mutate(caller, { ops: [op] })).results[0];
  const edit = (record: string, set: Values, base: Values) =>
    run({ op: "update", table: "lines", record, set, base });
  const values = async (record = "a") =>
    (await environment.commands.readRecord(owner, "lines", record)).values;
  const lines = () => environment.model().tables[0] as Table;
  const change = (edit: (table: Table) => void) =>
    environment.change((model) => edit(model.tables[0] as Table));
  const named = (table: Table, name: string) => findField(table, name) as Field;
  const kinds = async (edit: (table: Table) => void) =>
    (await change(edit)).steps.map(({ kind, field }) => `${kind} ${field}`);
  const total: Partial<Field> = { type: "money", expression: "quantity * price", indexed: true };

  it("has a value in every record as soon as it is declared, without any loss", async () => {
    const plan = await change((table) => table.fields.push(fieldOf("total", total)));
    expect(plan).toMatchObject({ lossy: false, steps: [{ kind: "addField" }] });
    expect([(await values("a")).total, (await values("b")).total]).toEqual(["5.00", null]);
  });

  it("follows its inputs, whoever writes them, and is in the history", async () => {
    await edit("a", { quantity: 200 }, { quantity: 100 });
    expect(await values("a")).toMatchObject({ total: "10.00" });
    await environment.database.pool.query("update lines set quantity = 2 where id = 'b'");
    expect(await values("b")).toMatchObject({ total: "18.00" });
    const [last] = await environment.commands.readHistory(owner, "lines", "b", { limit: 1 });
    expect(last?.fields).toMatchObject({ total: { before: null, after: "18.00" } });
  });

  it("is found, sorted and summed like any other", async () => {
    const query = { table: "lines", search: "", offset: 0, limit: 10 };
    const filter = { field: "total", op: "gt" as const, value: "10" };
    const page = await environment.commands.readPage(owner, { ...query, filter, sort: ["-total"] });
    expect(page.records.map(({ id }) => id)).toEqual(["b"]);
    const call = { table: "lines", measures: [{ op: "sum" as const, field: "total" }] };
    const { rows } = await environment.commands.readSummary(owner, call);
    expect(rows).toMatchObject([{ value: "28.00" }]);
  });

  it("is written by nobody", async () => {
    const readOnly = {
      ok: false,
      error: { code: "validation_failed", fields: { total: { rule: "readOnly" } } },
    };
    expect(await edit("a", { total: "1.00" }, { total: "10.00" })).toMatchObject(readOnly);
    expect(await edit("a", { total: null }, { total: "10.00" })).toMatchObject(readOnly);
    const create: Op = { op: "create", table: "lines", values: { total: "1.00" } };
    expect(await run(create)).toMatchObject(readOnly);
    const program = environment.database.pool.query("update lines set total = 1");
    await expect(program).rejects.toThrow(/only be updated to DEFAULT/);
  });

  it("is restored with a deleted record", async () => {
    await run({ op: "create", table: "lines", record: "c", values: { quantity: 3, price: "3" } });
    const { version } = await environment.commands.readRecord(owner, "lines", "c");
    await run({ op: "delete", table: "lines", record: "c", version });
    expect(await run({ op: "restore", table: "lines", record: "c" })).toMatchObject({ ok: true });
    expect(await values("c")).toMatchObject({ total: "9.00" });
  });

  it("is used in rules with its value after the edit", async () => {
    const filter = { field: "total", op: "lte" as const, value: "1000" };
    await change((table) => {
      table.rules = [{ filter, message: "Not above 1000." }];
    });
    const refused = await edit("a", { quantity: 100_000 }, { quantity: 200 });
    const problem = { rule: "rule", message: "Not above 1000." };
    expect(refused).toMatchObject({ ok: false, error: { fields: { total: problem } } });
    expect(await edit("a", { item: "Nails" }, { item: "Nail" })).toMatchObject({ ok: true });
  });

  it("is unchanged when its inputs are renamed or it is written differently", async () => {
    const steps = await kinds((table) => {
      named(table, "quantity").name = "number of";
      named(table, "total").expression = "([number of] * price)";
    });
    expect(steps).toEqual(["renameField number of", "describeField total"]);
    expect(await values("a")).toMatchObject({ "number of": 200, total: "10.00" });
  });

  it("is created again if an input is retyped, or its expression changes", async () => {
    const steps = await kinds((table) => {
      named(table, "number of").type = "decimal";
    });
    expect(steps).toEqual(["retypeField number of", "recomputeField total"]);
    expect(await values("a")).toMatchObject({ "number of": "200.00", total: "10.00" });
    expect(
      await kinds((table) => {
        named(table, "total").expression = "price * [number of] * 2";
      }),
    ).toEqual(["recomputeField total"]);
    expect(await values("a")).toMatchObject({ total: "20.00" });
  });

  it("can't outlive its inputs", async () => {
    const without = (names: string[]) => (table: Table) => {
      table.fields = table.fields.filter(({ name }) => !names.includes(name));
    };
    await expect(change(without(["price"]))).rejects.toMatchObject({ code: "validation_failed" });
    await change((table) =>
      table.fields.push(fieldOf("double", { ...total, expression: "total * 2" })),
    );
    expect(await values("b")).toMatchObject({ total: "36.00", double: "72.00" });
    await expect(change(without(["total"]))).rejects.toMatchObject({ code: "validation_failed" });
    expect((await change(without(["double"]))).lossy).toBe(false);
  });

  it("is hidden from users who may not see its inputs", async () => {
    const [editor] = builtInRoles.filter(({ id }) => id === "editor");
    const grants = { lines: { read: { hide: ["price"] }, update: true, create: true } };
    const withoutInputs = testIdentity("blind", {
      ...(editor as (typeof builtInRoles)[0]),
      id: "blind",
      grants,
    });
    const { values } = await environment.commands.readRecord(withoutInputs, "lines", "a");
    expect(Object.keys(values)).toEqual(["item", "number of"]);
  });

  it("replaces a filled field only after confirmation", async () => {
    const next = structuredClone(environment.model());
    const item = (next.tables[0] as Table).fields[0] as Field;
    item.expression = '"Thing of " & price';
    const plan = await saveModel(environment.models, {
      model: next,
      by: "user:owner",
      dryRun: true,
    });
    expect(plan.steps[0]).toMatchObject({ kind: "recomputeField", loses: { rows: 2 } });
    await change((table) => {
      named(table, "item").expression = item.expression as string;
    });
    expect(await values("a")).toMatchObject({ item: "Thing of 0.05" });
  });

  it("becomes editable with its computed values", async () => {
    const steps = await kinds((table) => {
      delete named(table, "item").expression;
    });
    expect(steps).toEqual(["constrainField item"]);
    expect(await edit("a", { item: "Nails" }, { item: "Thing of 0.05" })).toMatchObject({
      ok: true,
    });
    expect(await values("b")).toMatchObject({ item: "Thing of 9" });
    expect(lines().fields[0]).not.toHaveProperty("expression");
  });

  it("causes no unrelated failure", () => {
    expect(environment.errors).toEqual([]);
  });
});
