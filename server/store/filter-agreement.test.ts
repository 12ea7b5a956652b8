import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bothDatabases } from "../../e2e/provision/databases.ts";
import { proofSize } from "../../e2e/provision/proof-size.ts";
import { checkFilter } from "../../shared/filter/check-filter.ts";
import { compareBy } from "../../shared/filter/compare.ts";
import type { Filter, Json } from "../../shared/filter/filter.ts";
import { compileFilter } from "../../shared/filter/matches.ts";
import { type FieldType, kindOfType } from "../../shared/model/field-types.ts";
import { type Database, openDatabase } from "./database.ts";
import { filterArbitrary, sortArbitrary } from "./testing/filter-arbitraries.ts";
import { type ColumnPlan, FilterTable, type StoredRecord } from "./testing/filter-table.ts";
import { storedByKind } from "./testing/value-arbitraries.ts";

/**
 * The two interpreters agree: random filters on random records, each pair evaluated by Postgres and in
 * memory. WATCHFLOOR_FILTER_PAIRS sets how many pairs per server, if the test is run alone. Nothing is
 * shrunk, which takes minutes for a hundred records: the message names the filter, and the seed reproduces
 * the rest.
 */
const RECORDS_PER_RUN = 100;
const FILTERS_PER_RUN = 50;

const pairs = Number(process.env.WATCHFLOOR_FILTER_PAIRS ?? proofSize(15_000, 1_000_000));
const numRuns = Math.ceil(pairs / (RECORDS_PER_RUN * FILTERS_PER_RUN));
const timeoutMs = 120_000 + numRuns * 2_000;

/** Types as managed and adopted tables have them; two under a locale's collation, which must be overridden. */
const plan = {
  title: { type: "text", indexed: true },
  other: { type: "select", sqlType: 'text collate "en-x-icu"' },
  code: { type: "text", sqlType: "varchar(200)" },
  count: { type: "integer" },
  few: { type: "duration", sqlType: "int" },
  price: { type: "decimal", sqlType: "numeric" },
  done: { type: "boolean", indexed: true },
  due: { type: "date" },
  opened: { type: "timestamp" },
  closed: { type: "timestamp" },
  tags: { type: "multiSelect" },
  marks: { type: "multiSelect", sqlType: 'text[] collate "en-x-icu"' },
  extra: { type: "json" },
} satisfies ColumnPlan;

const smallInteger = fc.constantFrom<Json>(0, 1, 2, 10, -1);

const draftsOf = (text: fc.Arbitrary<Json>) => {
  const stored = { ...storedByKind, text };
  const draft = fc.record(
    Object.fromEntries(
      Object.entries(plan).map(([name, { type }]: [string, { type: FieldType }]) => {
        const value = name === "few" ? smallInteger : stored[kindOfType[type]];
        return [name, fc.option(value, { freq: 5 })];
      }),
    ),
  );
  return fc
    .array(draft, { minLength: RECORDS_PER_RUN, maxLength: RECORDS_PER_RUN })
    .map((all) => all.map((values, index) => ({ ...values, id: idOf(index) })));
};

const drafts = draftsOf(storedByKind.text);
const latin = [..."aAbBzZäÄéÉøØßñ019 -_.,'/()"];
const latinDrafts = draftsOf(
  fc.string({ unit: fc.constantFrom(...latin), maxLength: 8 }).map((text): Json => text),
);

/** Ids of all kinds, so that filters and orders on them can distinguish records. */
function idOf(index: number): string {
  return `${["a", "A", "é", "\u{1f600}", "\ue000"][index % 5]}${index}`;
}

function exactly(count: number) {
  return { minLength: count, maxLength: count };
}

describe.each(bothDatabases)("filters on $name and in memory", ({ create }) => {
  let database: Database;
  let table: FilterTable;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const created = await create();
    drop = created.drop;
    const options = { connectionString: created.url, poolSize: 1, onError: () => undefined };
    database = openDatabase(options);
    table = new FilterTable(database.kysely, plan);
  });

  afterAll(async () => {
    await database.close();
    await drop();
  });

  /** Returns how many records the filter matched. */
  async function expectSameResult(
    stored: readonly StoredRecord[],
    filter: Filter,
  ): Promise<number> {
    const filtersTried = JSON.stringify(filter);
    expect(checkFilter(filter, table.kinds), filtersTried).toBeNull();
    const predicate = compileFilter(filter, table.kinds);
    const verdicts = stored.map(({ id, values }) => predicate(id, values));
    const found = stored.filter((_record, index) => verdicts[index]).map(({ id }) => id);
    expect(await table.idsWhere(filter), filtersTried).toEqual(found);
    expect(await table.results({ not: filter }), `not ${filtersTried}`).toEqual(
      verdicts.map((verdict) => !verdict),
    );
    return found.length;
  }

  test("F14 find the same records, and not the opposite ones", { timeout: timeoutMs }, async () => {
    let informative = 0;
    const filters = fc.array(filterArbitrary(table.kinds), exactly(FILTERS_PER_RUN));
    const property = fc.asyncProperty(drafts, filters, async (records, filtersTried) => {
      const stored = await table.fill(records);
      expect(await table.readForWrite()).toEqual(stored);
      for (const filter of filtersTried) {
        const found = await expectSameResult(stored, filter);
        if (found > 0 && found < RECORDS_PER_RUN) informative += 1;
      }
    });
    await fc.assert(property, { numRuns, endOnFailure: true });
    // Filters that match all or nothing prove little: most must distinguish records.
    expect(informative).toBeGreaterThan((numRuns * FILTERS_PER_RUN) / 2);
  });

  // Of letters that every version of ICU has in the same order. Memory's order is provisional for others (shared/filter/text-order.ts).
  test("F12 put the records in the same order", { timeout: timeoutMs }, async () => {
    const sorts = fc.array(sortArbitrary(table.kinds), exactly(20));
    const property = fc.asyncProperty(latinDrafts, sorts, async (records, filtersTried) => {
      const stored = await table.fill(records);
      for (const sort of filtersTried) {
        const inMemory = stored.toSorted(compareBy(sort, table.kinds, "en")).map(({ id }) => id);
        expect(await table.idsOrdered(sort), JSON.stringify(sort)).toEqual(inMemory);
      }
    });
    await fc.assert(property, { numRuns, endOnFailure: true });
  });
});
