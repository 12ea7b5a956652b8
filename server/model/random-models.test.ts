import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DatabaseKind, databases } from "../../e2e/provision/databases.ts";
import { proofSize } from "../../e2e/provision/proof-size.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { withComputedValues } from "../../shared/model/expression/compute-values.ts";
import {
  type Field,
  idOfField,
  idOfTable,
  type Model,
  type Table,
  type Values,
} from "../../shared/model/model.ts";
import { isReadOnly } from "../../shared/model/recorded.ts";
import { testIdentity } from "../commands/testing/command-environment.ts";
import { loadModelVersion } from "../store/models.ts";
import {
  LOST_OPTION,
  modelArbitrary,
  type Succession,
  samples,
  succeed,
  successionArbitrary,
} from "./testing/model-arbitraries.ts";
import { createModelEnvironment, type ModelEnvironment } from "./testing/model-environment.ts";

const owner = testIdentity("owner", "owner");
const RECORDS = 2;

/** As its author wrote it: without what the server adds. */
const asWritten = ({ tables }: Model) =>
  tables.map(({ id: _, formerly: __, ...table }) => ({
    ...table,
    fields: table.fields.map(
      ({ id: ___, column: ____, logKey: _____, formerly: ______, ...field }) => field,
    ),
  }));

/** Each run publishes two models: a new one, and its successor. */
const RUNS = proofSize(60, 2_000);
/** In parallel, each on a database of its own: one waits for Postgres while the other plans. */
const LANES = 2;
/** Every version is stored, with every name that ever was: an installation is used for this many runs. */
const RUNS_PER_ENVIRONMENT = 100;

/** An installation in which one model follows another. */
class Lane {
  readonly #kind: DatabaseKind;
  #environment: ModelEnvironment | null = null;
  #runs = 0;

  constructor(kind: DatabaseKind) {
    this.#kind = kind;
  }

  /** An installation that is not used up yet. */
  async environment(): Promise<ModelEnvironment> {
    if (this.#runs % RUNS_PER_ENVIRONMENT === 0) {
      await this.close();
      this.#environment = await createModelEnvironment(this.#kind);
    }
    this.#runs += 1;
    return this.#environment as ModelEnvironment;
  }

  async close(): Promise<void> {
    await this.#environment?.[Symbol.asyncDispose]();
    this.#environment = null;
  }
}

describe.each(databases)("random models on $name", (kind) => {
  it(
    "are read back as they were written, and migrate with what the plan preserves",
    async () => {
      await Promise.all(Array.from({ length: LANES }, () => play(new Lane(kind))));
    },
    300_000 + RUNS * 5_000,
  );

  async function play(lane: Lane): Promise<void> {
    const property = fc.asyncProperty(
      modelArbitrary,
      successionArbitrary,
      async (first, succession) => migrates(await lane.environment(), first, succession),
    );
    try {
      await fc.assert(property, { numRuns: RUNS / LANES, endOnFailure: true });
    } finally {
      await lane.close();
    }
  }

  const stored = async ({ database }: ModelEnvironment) =>
    (await loadModelVersion(database))?.document ?? { version: 0, tables: [] };
  const replaceBy = (environment: ModelEnvironment, { tables }: Model) =>
    environment.change((model) => {
      model.tables = structuredClone(tables);
    });

  /** Every table is new: those of the previous model are removed, also if a new one has the same name. */
  async function startWith(
    environment: ModelEnvironment,
    { version, tables }: Model,
  ): Promise<Model> {
    const mark = environment.model().version;
    const fresh = tables.map((table, index) => ({ id: `fresh ${mark} ${index}`, ...table }));
    await replaceBy(environment, { version, tables: fresh });
    return stored(environment);
  }

  async function fill(environment: ModelEnvironment, table: Table): Promise<Map<string, Values>> {
    const filled = new Map<string, Values>();
    const plain = table.fields.filter((field) => field.type in samples && !isReadOnly(field));
    for (let index = 0; index < RECORDS; index++) {
      const entries = plain.map(({ name, type }) => {
        const choices = samples[type as keyof typeof samples];
        return [name, choices[index % choices.length] ?? null] as const;
      });
      const values = Object.fromEntries(entries);
      const op = { op: "create", table: table.name, record: `r${index}`, values } as const;
      const { results } = await environment.commands.mutate(owner, { ops: [op] });
      expect(results[0]?.ok ? null : results[0]).toBeNull();
      filled.set(
        `r${index}`,
        (await environment.commands.readRecord(owner, table.name, `r${index}`)).values,
      );
    }
    return filled;
  }

  async function migrates(
    environment: ModelEnvironment,
    first: Model,
    succession: Succession,
  ): Promise<void> {
    const before = await startWith(environment, first);
    expect(asWritten(before)).toEqual(asWritten(first));
    const filled = new Map<string, Map<string, Values>>();
    for (const table of before.tables) filled.set(table.name, await fill(environment, table));
    const { pool } = environment.database;
    await pool.query(
      `insert into watchfloor.view (id, table_name, name, shared, look)
       select gen_random_uuid(), name, 'All', true, '{}' from unnest($1::text[]) name`,
      [before.tables.map(({ name }) => name)],
    );
    const next = succeed(before, succession);
    const plan = await replaceBy(environment, next);
    const after = await stored(environment);
    expect(asWritten(after)).toEqual(asWritten(next));
    const views = await pool.query("select table_name from watchfloor.view");
    expect(views.rows.map((view) => view.table_name).toSorted()).toEqual(
      after.tables.map(({ name }) => name).toSorted(),
    );
    for (const table of after.tables) {
      const was = before.tables.find((one) => idOfTable(one) === idOfTable(table)) as Table;
      const lossy = new Set(plan.steps.filter(({ loses }) => loses).map(({ field }) => field));
      for (const [record, old] of filled.get(was.name) ?? []) {
        const now = (await environment.commands.readRecord(owner, table.name, record)).values;
        for (const field of table.fields)
          expectRetained(field, was, old, now, lossy.has(field.name));
        expect(withComputedValues(table, record, now)).toEqual(now);
      }
    }
    expect(environment.errors).toEqual([]);
  }

  /** What a field preserves of a value, if it has lost an option. */
  function left(field: Field, value: Json = null): Json {
    const isRemoved = (one: Json) =>
      one === LOST_OPTION && field.options?.every((option) => option.value !== one);
    if (!Array.isArray(value) || field.type !== "multiSelect")
      return isRemoved(value) ? null : value;
    const rest = value.filter((one) => !isRemoved(one));
    return rest.length > 0 ? rest : null;
  }

  function expectRetained(
    field: Field,
    was: Table,
    old: Values,
    now: Values,
    isLossy: boolean,
  ): void {
    const before = was.fields.find((one) => idOfField(one) === idOfField(field));
    const value = now[field.name];
    if (field.expression !== undefined) return;
    // emptying a field of a record is a change of it, like any other
    if (field.recorded?.startsWith("updated")) return;
    if (!before) expect(value).toEqual(field.default ?? null);
    else if (before.type === field.type) expect(value).toEqual(left(field, old[before.name]));
    else if (!isLossy) expect(value === null).toBe(old[before.name] === null);
  }
});
