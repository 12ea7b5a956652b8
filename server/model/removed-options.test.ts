import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { findField, type Option, type Table } from "../../shared/model/model.ts";
import { testIdentity } from "../commands/testing/command-environment.ts";
import { saveModel } from "./save-model.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "./testing/model-environment.ts";

const owner = testIdentity("owner", "owner");

describe.each(databases.slice(0, 1))("removed options on $name", (kind) => {
  let environment: ModelEnvironment;
  beforeAll(async () => {
    environment = await createModelEnvironment(kind);
    const options = ["low", "high", "it's"].map((value) => ({ value }));
    const fields = [
      fieldOf("level", { type: "select", options }),
      fieldOf("tags", { type: "multiSelect", options }),
    ];
    await environment.change((model) => model.tables.push(tableOf("jobs", fields)));
    const create = (record: string, level: string | null, tags: string[]) => ({
      op: "create" as const,
      table: "jobs",
      record,
      values: { level, tags },
    });
    await environment.commands.mutate(owner, {
      ops: [
        create("a", "low", ["low", "high"]),
        create("b", "high", ["it's"]),
        create("c", "it's", ["it's", "low"]),
        create("d", null, []),
      ],
    });
  });
  afterAll(() => environment[Symbol.asyncDispose]());

  const levels = async () => {
    const call = { table: "jobs", search: "", offset: 0, limit: 10, sort: [], filter: null };
    const { records } = await environment.commands.readPage(owner, call);
    return records.map(({ values }) => [values.level, values.tags]);
  };
  const draft = (name: string, options: Option[], more = {}) => {
    const next = structuredClone(environment.model());
    const field = findField(next.tables[0] as Table, name);
    Object.assign(field ?? {}, { options }, more);
    return next;
  };
  const save = (name: string, options: Option[], more?: object) =>
    saveModel(environment.models, { model: draft(name, options, more), by: "user:owner" });
  const refusal = (answer: Promise<unknown>) =>
    answer.then(
      () => null,
      (error) => error.detail,
    );

  it("are counted if records hold them, and need confirmation", async () => {
    const left = [{ value: "low" }, { value: "it's" }];
    expect(await refusal(save("level", left))).toMatchObject({
      rule: "lossy",
      plan: [{ kind: "replaceOptions", field: "level", loses: { rows: 1 } }, {}],
    });
    expect(await refusal(save("tags", [{ value: "low" }]))).toMatchObject({
      plan: [{ kind: "replaceOptions", loses: { rows: 3 } }, {}],
    });
    expect(await refusal(save("level", left, { required: true }))).toMatchObject({
      rule: "blocked",
    });
    expect((await levels())[1]).toEqual(["high", ["it's"]]);
  });

  it("need no confirmation if no record holds them", async () => {
    const more = [{ value: "low" }, { value: "high" }, { value: "it's" }, { value: "never" }];
    await save("level", more);
    expect(await save("level", more.slice(0, 3))).toMatchObject({ lossy: false });
  });

  it("may be replaced by another one: nothing is lost, and late edits are applied", async () => {
    const options = [{ value: "low" }, { value: "urgent", formerly: ["high", "it's"] }];
    const plan = await save("level", options);
    expect(plan).toMatchObject({ lossy: false });
    expect(plan.steps[0]?.sentence).toBe(
      "level of jobs: “high” becomes “urgent”, “it's” becomes “urgent”.",
    );
    await save("tags", [{ value: "it's", formerly: ["low"] }, { value: "high" }]);
    expect(await levels()).toEqual([
      ["low", ["it's", "high"]],
      ["urgent", ["it's"]],
      ["urgent", ["it's"]],
      [null, null],
    ]);
    const update = {
      op: "update" as const,
      table: "jobs",
      record: "a",
      set: { level: "high" },
      base: { level: "low" },
    };
    const { results } = await environment.commands.mutate(owner, { ops: [update] });
    expect(results).toMatchObject([{ ok: true }]);
    expect((await levels())[0]?.[0]).toBe("urgent");
  });

  it("are emptied after confirmation, and the history preserves them", async () => {
    const model = draft("tags", [{ value: "high" }]);
    await saveModel(environment.models, { model, by: "user:owner", confirmLoss: true });
    expect((await levels()).map(([, tags]) => tags)).toEqual([["high"], null, null, null]);
    const [last] = await environment.commands.readHistory(owner, "jobs", "b", { limit: 1 });
    expect(last).toMatchObject({ fields: { tags: { before: ["it's"], after: null } } });
    expect(environment.errors).toEqual([]);
  });
});
