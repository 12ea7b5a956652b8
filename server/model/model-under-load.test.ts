import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { type Field, findField, type Model, type Table } from "../../shared/model/model.ts";
import { testIdentity } from "../commands/testing/command-environment.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "./testing/model-environment.ts";

const WRITERS = 20;
const FIELDS = ["unchanged", "retyped", "renamed", "removed"] as const;
type Name = (typeof FIELDS)[number];

/** A user who edits one record, field after field, as fast as answers come, by the names known at the start. */
class Writer {
  readonly record: string;
  readonly acknowledged: Record<Name, Json> = {
    unchanged: "0",
    retyped: "0",
    renamed: "0",
    removed: "0",
  };
  readonly refusals: { field: Name; code: string }[] = [];
  readonly #environment: ModelEnvironment;
  edits = 0;

  constructor(environment: ModelEnvironment, index: number) {
    this.#environment = environment;
    this.record = `r${index}`;
  }

  async begin(): Promise<void> {
    const values = { ...this.acknowledged };
    await this.#mutate({ op: "create", table: "things", record: this.record, values });
  }

  async editUntil(isOver: () => boolean): Promise<void> {
    for (let turn = 1; !isOver() || turn % FIELDS.length !== 1; turn++) {
      const field = FIELDS[turn % FIELDS.length] as Name;
      const set = { [field]: String(turn) };
      const base = { [field]: this.acknowledged[field] };
      const op = { op: "update", table: "things", record: this.record, set, base } as const;
      const result = await this.#mutate(op);
      this.edits += 1;
      if (result?.ok) this.acknowledged[field] = String(turn);
      else this.refusals.push({ field, code: result?.error.code ?? "" });
    }
  }

  async #mutate(op: Parameters<ModelEnvironment["commands"]["mutate"]>[1]["ops"][number]) {
    const { results } = await this.#environment.commands.mutate(testIdentity(this.record), {
      ops: [op],
    });
    return results[0];
  }
}

describe.each(databases)("a model that changes under $name while people type", (kind) => {
  let environment: ModelEnvironment;
  let writers: Writer[];

  beforeAll(async () => {
    environment = await createModelEnvironment(kind);
    const fields = FIELDS.map((name) => fieldOf(name));
    await environment.change((model) => model.tables.push(tableOf("things", fields)));
    writers = Array.from({ length: WRITERS }, (_, index) => new Writer(environment, index));
    await Promise.all(writers.map((writer) => writer.begin()));
    await workWhileItChanges();
  });
  afterAll(() => environment[Symbol.asyncDispose]());

  async function workWhileItChanges(): Promise<void> {
    let isOver = false;
    const working = writers.map((writer) => writer.editUntil(() => isOver));
    const typed = () => writers.reduce((sum, writer) => sum + writer.edits, 0);
    for (const change of changes) {
      const before = typed();
      await environment.change((model) => change(itemsTable(model), model));
      while (typed() < before + WRITERS * 4) await new Promise((done) => setTimeout(done, 5));
    }
    isOver = true;
    await Promise.all(working);
  }

  const itemsTable = (model: Model) => model.tables[0] as Table;
  const named = (table: Table, name: string) => findField(table, name) as Field;
  const changes: ((table: Table, model: Model) => void)[] = [
    (table) => table.fields.push(fieldOf("added", { type: "integer", default: 7, indexed: true })),
    (table) => {
      named(table, "renamed").name = "called otherwise";
    },
    (table) => {
      named(table, "retyped").type = "integer";
    },
    (table) => {
      table.fields = table.fields.filter(({ name }) => name !== "removed");
    },
    (table, model) => {
      table.fields.push(fieldOf("other", { type: "link", target: "others" }));
      model.tables.push(tableOf("others", [fieldOf("title")]));
    },
  ];

  it("stores every acknowledged edit, under the current names and types", async () => {
    const owner = testIdentity("owner", "owner");
    for (const { record, acknowledged } of writers) {
      const { values } = await environment.commands.readRecord(owner, "things", record);
      expect(values).toEqual({
        unchanged: acknowledged.unchanged,
        retyped: Number(acknowledged.retyped),
        "called otherwise": acknowledged.renamed,
        added: 7,
        other: null,
      });
    }
  });

  it("refuses only edits to the removed field, with the reason", () => {
    const refusals = writers.flatMap((writer) => writer.refusals);
    expect(refusals.length).toBeGreaterThan(0);
    const reasons = new Set(refusals.map(({ field, code }) => `${field}: ${code}`));
    expect([...reasons]).toEqual(["removed: invalid_request"]);
  });

  it("causes no unrelated failure", () => {
    expect(environment.errors).toEqual([]);
  });

  it("preserves the history of existing fields from the first day on", async () => {
    const owner = testIdentity("owner", "owner");
    const entries = await environment.commands.readHistory(owner, "things", "r0", { limit: 200 });
    const first = entries.at(-1);
    expect(Object.keys(first?.fields ?? {}).sort()).toEqual([
      "called otherwise",
      "retyped",
      "unchanged",
    ]);
  });
});
