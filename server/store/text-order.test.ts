import pg from "pg";
import { describe, expect, it } from "vitest";
import { bothDatabases, databases } from "../../e2e/provision/databases.ts";
import { findTable, type Model } from "../../shared/model/model.ts";
import { fieldOf, tableOf } from "../model/testing/model-environment.ts";
import { completeTables } from "./ddl/complete-tables.ts";
import { readPage } from "./pages.ts";
import { createStoreEnvironment } from "./testing/store-environment.ts";
import { ensureTextOrder } from "./text-order.ts";

const words = ["Zoë", "apple", "Zebra", "Özdemir", "INC103", "INC21", "ångström", "zoo", "Apple"];

const wordsModel: Model = {
  version: 1,
  tables: [tableOf("words", [fieldOf("word", { indexed: true })])],
};

async function wordsOn(kind: (typeof bothDatabases)[number]) {
  const environment = await createStoreEnvironment(kind, wordsModel);
  const { database, adminUrl } = environment;
  const table = findTable(wordsModel, "words");
  if (!table) throw new Error("no table");
  for (const [n, word] of words.entries())
    await database.pool.query("insert into words (id, word) values ($1, $2)", [`w${n}`, word]);
  return {
    database,
    inOrder: async () => {
      const sort = [{ field: "word", descending: false }];
      const bounds = { offset: 0, limit: 100, exactTotal: 100 };
      const request = { filter: null, sort, fields: ["word"], ...bounds };
      const { records } = await readPage(database, table, request);
      return records.map(({ values }) => values.word);
    },
    asSuperuser: async (text: string) => {
      const client = new pg.Client({ connectionString: adminUrl });
      await client.connect();
      await client.query(text);
      await client.end();
    },
    /** The collations that orders use or used, and whether an order can use the index. */
    state: async () => {
      const { rows } = await database.pool.query(`
        select array(select regexp_replace(collname, '[0-9]+$', 'n') from pg_collation
            where collnamespace = 'watchfloor'::regnamespace order by 1) as collations,
          (select i.indcollation[0] = 'watchfloor.text_order'::regcollation from pg_index i
            where i.indrelid = 'words'::regclass and i.indexrelid::regclass::text ~ 'word_.*_index') as usable`);
      return rows[0];
    },
    async [Symbol.asyncDispose]() {
      await environment[Symbol.asyncDispose]();
    },
  };
}

describe.each(bothDatabases)("the order of texts on $name", (kind) => {
  it("F12 is that of the installation's language, with numbers by their value", async () => {
    await using desk = await wordsOn(kind);
    const english = [
      "ångström",
      "apple",
      "Apple",
      "INC21",
      "INC103",
      "Özdemir",
      "Zebra",
      "Zoë",
      "zoo",
    ];
    expect(await desk.inOrder()).toEqual(english);
    expect(await ensureTextOrder(desk.database, "sv")).toBe("sv");
    const swedish = [
      "apple",
      "Apple",
      "INC21",
      "INC103",
      "Zebra",
      "Zoë",
      "zoo",
      "ångström",
      "Özdemir",
    ];
    expect(await desk.inOrder()).toEqual(swedish);
    expect(await ensureTextOrder(desk.database)).toBe("sv");
  });

  it("F12 never uses an index that another version of ICU has sorted, and has it built anew", async () => {
    await using desk = await wordsOn(kind);
    expect(await desk.state()).toEqual({ collations: ["text_order"], usable: true });
    await ensureTextOrder(desk.database);
    expect(await desk.state()).toEqual({ collations: ["text_order"], usable: true });
    await desk.asSuperuser(
      "update pg_collation set collversion = '1.2' where collname = 'text_order'",
    );
    await ensureTextOrder(desk.database);
    expect(await desk.state()).toEqual({
      collations: ["text_order", "text_order_n"],
      usable: false,
    });
    await completeTables(desk.database, () => wordsModel);
    expect(await desk.state()).toEqual({ collations: ["text_order"], usable: true });
  });
});

describe.each(databases)("a $name without ICU", (kind) => {
  it("F12 sorts by code points, and by the language once it has ICU", async () => {
    await using desk = await wordsOn(kind);
    await desk.asSuperuser(`create table public.hidden as select * from pg_collation
      where collprovider = 'i' and collnamespace = 'pg_catalog'::regnamespace`);
    await desk.asSuperuser(`delete from pg_collation where oid in (select oid from public.hidden)`);
    expect(await ensureTextOrder(desk.database, "en")).toBeNull();
    expect(await ensureTextOrder(desk.database, "en")).toBeNull();
    expect(await desk.inOrder()).toEqual(words.toSorted());
    await desk.asSuperuser(`insert into pg_collation select * from public.hidden`);
    expect(await ensureTextOrder(desk.database, "en")).toBe("en");
    expect((await desk.inOrder())[0]).toBe("ångström");
  });
});
