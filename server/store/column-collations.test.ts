import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bothDatabases } from "../../e2e/provision/databases.ts";
import type { Filter, SortKey } from "../../shared/filter/filter.ts";
import { matches } from "../../shared/filter/matches.ts";
import { fieldKinds, findTable, type Model, type Table } from "../../shared/model/model.ts";
import { fieldOf, tableOf } from "../model/testing/model-environment.ts";
import { readPage } from "./pages.ts";
import type { Place } from "./seek.ts";
import { createStoreEnvironment, type StoreEnvironment } from "./testing/store-environment.ts";

const model: Model = {
  version: 1,
  tables: [
    tableOf("words", [fieldOf("word"), fieldOf("code", { indexed: true }), fieldOf("byte")]),
  ],
};
const table = findTable(model, "words") as Table;
const words = ["b", "A", "a", "á", "B", "a", "A", null, "", "Ab", "aB", "ab"];
/** Of what another program made of our columns: one that takes "a" for "A", and one of its own order. */
const collations = { word: "loose", code: "loose", byte: '"C"' };

describe.each(bothDatabases)("columns with a collation of their own on $name", (kind) => {
  let environment: StoreEnvironment;
  beforeAll(async () => {
    environment = await createStoreEnvironment(kind, model);
    const client = new pg.Client({ connectionString: environment.adminUrl });
    await client.connect();
    await client.query(
      "create collation loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
    );
    for (const [column, collation] of Object.entries(collations)) {
      await client.query(`alter table words alter column ${column} type text collate ${collation}`);
    }
    for (const [n, word] of words.entries()) {
      await client.query("insert into words (id, word, code, byte) values ($1, $2, $2, $2)", [
        `w${n}`,
        word,
      ]);
    }
    await client.end();
  });
  afterAll(() => environment[Symbol.asyncDispose]());

  const page = (filter: Filter | null, sort: readonly SortKey[], limit: number, after?: Place) =>
    readPage(environment.database, table, {
      ...{ filter, sort, limit, offset: 0, exactTotal: 100, after: after ?? null },
      fields: Object.keys(collations),
    });

  it.each(
    Object.keys(collations).flatMap((field) =>
      [false, true].map((descending) => ({ field, descending })),
    ),
  )(
    "pages by $field (descending: $descending) without leaving out or repeating a record",
    async (key) => {
      const whole = await page(null, [key], 100);
      const paged: string[] = [];
      let after: Place | undefined;
      for (;;) {
        const { records } = await page(null, [key], 2, after);
        const last = records.at(-1);
        if (!last) break;
        paged.push(...records.map(({ id }) => id));
        after = { id: last.id, values: last.values, entry: last.entry ?? null };
        expect(paged.length).toBeLessThanOrEqual(words.length);
      }
      expect(paged).toEqual(whole.records.map(({ id }) => id));
      expect(paged.length).toBe(words.length);
    },
  );

  it.each(
    ["eq", "ne", "lt", "gte", "contains", "startsWith"].flatMap((op) =>
      Object.keys(collations).map((field) => ({ field, op, value: "a" }) as Filter),
    ),
  )("filters as the browser does: $field $op $value", async (filter) => {
    const all = (await page(null, [], 100)).records;
    const found = (await page(filter, [], 100)).records.map(({ id }) => id);
    const expected = all.filter(({ id, values }) => matches(filter, id, values, fieldKinds(table)));
    expect(found).toEqual(expected.map(({ id }) => id));
  });
});
