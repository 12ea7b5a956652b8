import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DatabaseKind, databases } from "../../e2e/provision/databases.ts";
import { proofSize } from "../../e2e/provision/proof-size.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { workedOut } from "../../shared/model/expression/work-out.ts";
import {
  type Field,
  idOfField,
  idOfTable,
  type Model,
  type Table,
  type Values,
} from "../../shared/model/model.ts";
import { isReadOnly } from "../../shared/model/recorded.ts";
import { somebody } from "../commands/testing/command-desk.ts";
import {
  LOST_OPTION,
  modelArbitrary,
  type Succession,
  samples,
  succeed,
  successionArbitrary,
} from "./testing/model-arbitraries.ts";
import { buildModelDesk, type ModelDesk } from "./testing/model-desk.ts";

const owner = somebody("owner", "owner");
const RECORDS = 2;

/** As its author wrote it: without what the server adds. */
const asWritten = ({ tables }: Model) =>
  tables.map(({ id: _, formerly: __, ...table }) => ({
    ...table,
    fields: table.fields.map(({ id: ___, column: ____, formerly: _____, ...field }) => field),
  }));

/** Each run puts two models in force: a new one, and one that it becomes. */
const RUNS = proofSize(60, 5_000);
/** Side by side, each on a database of its own: one waits for Postgres while the other plans. */
const LANES = 2;
/** Every version is kept, and every name that ever was: a desk is for so many runs. */
const RUNS_PER_DESK = 100;

/** An installation in which one model follows another. */
class Lane {
  readonly #kind: DatabaseKind;
  #desk: ModelDesk | null = null;
  #runs = 0;

  constructor(kind: DatabaseKind) {
    this.#kind = kind;
  }

  /** A desk that is not worn out yet. */
  async desk(): Promise<ModelDesk> {
    if (this.#runs % RUNS_PER_DESK === 0) {
      await this.close();
      this.#desk = await buildModelDesk(this.#kind);
    }
    this.#runs += 1;
    return this.#desk as ModelDesk;
  }

  async close(): Promise<void> {
    await this.#desk?.[Symbol.asyncDispose]();
    this.#desk = null;
  }
}

describe.each(databases)("random models on $name", (kind) => {
  it(
    "are read back as they were written, and migrate with what the plan keeps",
    async () => {
      await Promise.all(Array.from({ length: LANES }, () => play(new Lane(kind))));
    },
    120_000 + RUNS * 2_000,
  );

  async function play(lane: Lane): Promise<void> {
    const property = fc.asyncProperty(
      modelArbitrary,
      successionArbitrary,
      async (first, succession) => migrates(await lane.desk(), first, succession),
    );
    try {
      await fc.assert(property, { numRuns: RUNS / LANES, endOnFailure: true });
    } finally {
      await lane.close();
    }
  }

  const standing = async ({ models }: ModelDesk) =>
    (await models.version())?.document ?? { version: 0, tables: [] };
  const replaceBy = (desk: ModelDesk, { tables }: Model) =>
    desk.change((model) => {
      model.tables = structuredClone(tables);
    });

  /** Every table anew: those of the model before go, also where a new one is called the same. */
  async function startWith(desk: ModelDesk, { version, tables }: Model): Promise<Model> {
    const mark = desk.model.get().version;
    const fresh = tables.map((table, index) => ({ id: `fresh ${mark} ${index}`, ...table }));
    await replaceBy(desk, { version, tables: fresh });
    return standing(desk);
  }

  async function fill(desk: ModelDesk, table: Table): Promise<Map<string, Values>> {
    const filled = new Map<string, Values>();
    const plain = table.fields.filter((field) => field.type in samples && !isReadOnly(field));
    for (let index = 0; index < RECORDS; index++) {
      const entries = plain.map(({ name, type }) => {
        const choices = samples[type as keyof typeof samples];
        return [name, choices[index % choices.length] ?? null] as const;
      });
      const values = Object.fromEntries(entries);
      const op = { op: "create", table: table.name, record: `r${index}`, values } as const;
      const { results } = await desk.commands.mutate(owner, { ops: [op] });
      expect(results[0]?.ok ? null : results[0]).toBeNull();
      filled.set(
        `r${index}`,
        (await desk.commands.readRecord(owner, table.name, `r${index}`)).values,
      );
    }
    return filled;
  }

  async function migrates(desk: ModelDesk, first: Model, succession: Succession): Promise<void> {
    const before = await startWith(desk, first);
    expect(asWritten(before)).toEqual(asWritten(first));
    const filled = new Map<string, Map<string, Values>>();
    for (const table of before.tables) filled.set(table.name, await fill(desk, table));
    const next = succeed(before, succession);
    const plan = await replaceBy(desk, next);
    const after = await standing(desk);
    expect(asWritten(after)).toEqual(asWritten(next));
    for (const table of after.tables) {
      const was = before.tables.find((one) => idOfTable(one) === idOfTable(table)) as Table;
      const lossy = new Set(plan.steps.filter(({ loses }) => loses).map(({ field }) => field));
      for (const [record, old] of filled.get(was.name) ?? []) {
        const now = (await desk.commands.readRecord(owner, table.name, record)).values;
        for (const field of table.fields) expectKept(field, was, old, now, lossy.has(field.name));
        expect(workedOut(table, record, now)).toEqual(now);
      }
    }
    expect(desk.errors).toEqual([]);
  }

  /** What a field goes on holding of a value, where it has lost an option. */
  function left(field: Field, value: Json = null): Json {
    const isGone = (one: Json) =>
      one === LOST_OPTION && field.options?.every((option) => option.value !== one);
    if (!Array.isArray(value) || field.type !== "multiSelect") return isGone(value) ? null : value;
    const rest = value.filter((one) => !isGone(one));
    return rest.length > 0 ? rest : null;
  }

  function expectKept(field: Field, was: Table, old: Values, now: Values, isLossy: boolean): void {
    const before = was.fields.find((one) => idOfField(one) === idOfField(field));
    const value = now[field.name];
    if (field.expression !== undefined) return;
    // what empties a field of a record is a change of it, like any other
    if (field.recorded?.startsWith("updated")) return;
    if (!before) expect(value).toEqual(field.default ?? null);
    else if (before.type === field.type) expect(value).toEqual(left(field, old[before.name]));
    else if (!isLossy) expect(value === null).toBe(old[before.name] === null);
  }
});
