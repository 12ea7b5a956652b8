import fc from "fast-check";
import type { Filter, Json } from "../../../shared/filter/filter.ts";
import { fieldKinds, type Table } from "../../../shared/model/model.ts";
import { checkTile } from "../../../shared/model/wallboard/check-tile.ts";
import { type Tile, tileSchema } from "../../../shared/model/wallboard/tile.ts";
import { filterArbitrary } from "../../store/testing/filter-arbitraries.ts";
import { storedByKind } from "../../store/testing/value-arbitraries.ts";
import { testModel } from "./tile-environment.ts";

/** Random tiles, and random changes of what they show. */

const table = testModel.tables[0] as Table;
const MINUTE_MS = 60_000;

/** Few values, so that groups meet, empty and fill again. */
const level = fc.constantFrom<Json>("low", "high", "Low", "", null);
const amount = fc.constantFrom<Json>(0, 1, -7, 12, "9007199254740993", null);
const price = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom<Json>("0.10", "0.20", "-3.33", "99999999999999.99", null),
  },
  { weight: 1, arbitrary: fc.constantFrom<Json>("NaN", "12345678901234567890.01") },
);

/** Around now, where windows and clocks move; some of it in the next moment. */
const near = fc
  .oneof(
    fc.integer({ min: -90 * MINUTE_MS, max: 90 * MINUTE_MS }),
    fc.integer({ min: 0, max: 1_500 }),
  )
  .map((offset): Json => new Date(Date.now() + offset).toISOString());
const nearDay = fc
  .integer({ min: -3, max: 3 })
  .map((days): Json => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));

const valuesOf: Record<string, fc.Arbitrary<Json>> = {
  title: fc.option(storedByKind.text, { freq: 5 }),
  level,
  amount,
  price,
  done: fc.constantFrom<Json>(true, false, null),
  due: fc.oneof({ weight: 3, arbitrary: nearDay }, fc.option(storedByKind.date, { freq: 3 })),
  opened: fc.oneof({ weight: 3, arbitrary: near }, fc.option(storedByKind.timestamp, { freq: 3 })),
  tags: fc.option(storedByKind.list, { freq: 3 }),
};

const names = Object.keys(valuesOf);
const record = fc.record(valuesOf) as fc.Arbitrary<Record<string, Json>>;
const someFields = fc
  .subarray(names, { minLength: 1, maxLength: 3 })
  .chain((chosen) =>
    fc.record(Object.fromEntries(chosen.map((name) => [name, valuesOf[name] as never]))),
  );

export interface Statement {
  text: string;
  values: Json[];
}

const IDS = 12;
const id = fc.integer({ min: 1, max: IDS }).map(String);
const columns = names.map((name) => `"${name}"`).join(", ");
const places = names.map((_, index) => `$${index + 2}`).join(", ");

const insert = fc.tuple(id, record).map(
  ([key, values]): Statement => ({
    text: `insert into things (id, ${columns}) values ($1, ${places}) on conflict do nothing`,
    values: [key, ...names.map((name) => values[name] ?? null)],
  }),
);
const update = fc.tuple(id, someFields).map(([key, values]): Statement => {
  const set = Object.keys(values).map((name, index) => `"${name}" = $${index + 2}`);
  return {
    text: `update things set ${set.join(", ")} where id = $1`,
    values: [key, ...(Object.values(values) as Json[])],
  };
});
const updateMany = fc.tuple(level, level).map(
  ([from, to]): Statement => ({
    text: "update things set level = $2 where level is not distinct from $1",
    values: [from, to],
  }),
);
const remove = id.map(
  (key): Statement => ({ text: "delete from things where id = $1", values: [key] }),
);
const empty = fc.constant<Statement>({ text: "truncate things", values: [] });

/** Transactions of a few statements each; sometimes the table begins a new history. */
export const batchesArbitrary: fc.Arbitrary<Statement[][]> = fc.array(
  fc.array(
    fc.oneof(
      { weight: 40, arbitrary: insert },
      { weight: 30, arbitrary: update },
      { weight: 5, arbitrary: updateMany },
      { weight: 15, arbitrary: remove },
      { weight: 1, arbitrary: empty },
    ),
    { minLength: 1, maxLength: 6 },
  ),
  { minLength: 3, maxLength: 6 },
);

const clockFilter: fc.Arbitrary<Filter> = fc
  .tuple(
    fc.constantFrom("opened", "due"),
    fc.constantFrom("lt", "lte", "gt", "gte"),
    fc.constantFrom<Json>("$now", "$today", { ago: "30m" }, { ago: "1s" }, { ago: "-1s" }),
  )
  .map(([field, op, value]) => ({ field, op, value }) as Filter);

const plainFilter = filterArbitrary(fieldKinds(table));
const filter: fc.Arbitrary<Filter | null> = fc.oneof(
  { weight: 3, arbitrary: plainFilter },
  { weight: 2, arbitrary: clockFilter },
  { weight: 1, arbitrary: fc.tuple(clockFilter, plainFilter).map((and) => ({ and })) },
  { weight: 3, arbitrary: fc.constant(null) },
);

const measure = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ op: "count" }) },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constantFrom("sum", "avg"),
      field: fc.constantFrom("amount", "price"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constantFrom("min", "max", "distinct", "percentile"),
      field: fc.constantFrom("amount", "price"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constantFrom("min", "max"),
      field: fc.constantFrom("opened", "due"),
    }),
  },
);
const group = fc.constantFrom("level", "amount", "price", "done", "due", "title");
const time = fc.oneof(
  fc.record({
    field: fc.constant("opened"),
    bucket: fc.constantFrom("minute", "hour", "day", "week", "month"),
    count: fc.integer({ min: 2, max: 40 }),
  }),
  fc.record({
    field: fc.constant("due"),
    bucket: fc.constantFrom("day", "week", "month"),
    count: fc.integer({ min: 2, max: 9 }),
  }),
);
const zone = fc.constantFrom("UTC", "Europe/Lisbon", "Asia/Kathmandu", "America/New_York");
const suppressBelow = fc.constantFrom(2, 3);
const layout = fc.constant({ x: 0, y: 0, w: 1, h: 1 });
const source = { table: fc.constant("things"), layout, filter, measure, zone };
const may = (more: Record<string, fc.Arbitrary<unknown>>, required: string[]) =>
  fc.record(
    { ...source, ...more },
    {
      requiredKeys: ["table", "layout", "measure", ...required] as never,
    },
  );

const tile = fc.oneof(
  may({ kind: fc.constant("number"), trend: time }, ["kind"]),
  may({ kind: fc.constant("trend"), time, group }, ["kind", "time"]),
  may(
    {
      kind: fc.constantFrom("breakdown", "lights"),
      group,
      limit: fc.integer({ min: 1, max: 5 }),
      order: fc.constantFrom("value", "-value", "key", "-key"),
      suppressBelow,
    },
    ["kind", "group"],
  ),
  may(
    {
      kind: fc.constant("queue"),
      order: fc.constantFrom("-opened", "title", "-price", "amount"),
      limit: fc.integer({ min: 1, max: 6 }),
      fields: fc.constant(["title", "level", "price"]),
    },
    ["kind"],
  ),
  may({ kind: fc.constant("progress"), of: fc.record({ filter }) }, ["kind", "of"]),
  may({ kind: fc.constant("activity"), limit: fc.integer({ min: 1, max: 5 }) }, ["kind"]),
);

/** Wallboards of a few tiles that the model can answer. */
export const tilesArbitrary: fc.Arbitrary<Tile[]> = fc
  .array(tile, { minLength: 2, maxLength: 6 })
  .map((all) =>
    all
      .map((one, index) => tileSchema.parse({ ...one, id: `t${index}` }))
      .filter((one) => checkTile(one, testModel).length === 0),
  );

/** The rows that the reader may see: all, or those of a row right, which has no clock. */
export const scopeArbitrary: fc.Arbitrary<Filter | null> = fc.option(plainFilter, { freq: 3 });
