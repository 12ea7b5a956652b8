import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import {
  type CommandEnvironment,
  createCommandEnvironment,
  testIdentity,
} from "./testing/command-environment.ts";
import { refusalOf } from "./testing/scoped-desk.ts";

const ann = testIdentity("ann", "owner");
const table = "incidents";
const RECORDS = 260;
const NOTE_BYTES = 100_000;
const PAGE_MAX_BYTES = 500_000;

describe.each(databases)("answers of large records on $name", (kind) => {
  let environment: CommandEnvironment;
  beforeAll(async () => {
    environment = await createCommandEnvironment(kind);
    await environment.database.pool.query(`insert into incidents (id, title, notes)
      select 'r' || lpad(i::text, 3, '0'), 'one', repeat('n', ${NOTE_BYTES}) from generate_series(1, ${RECORDS}) i`);
  });
  afterAll(async () => {
    expect(environment.errors).toEqual([]);
    await environment[Symbol.asyncDispose]();
  });
  const bounded = () => environment.openNode({ PAGE_MAX_BYTES });

  it("refuses a page of more bytes than allowed, whatever the number of its records", async () => {
    const commands = bounded();
    const page = (call: object) => commands.answerPage(ann, { table, ...call });
    const sorted = { sort: ["number"], offset: 3 };
    for (const call of [{ limit: 6 }, { limit: 6, ...sorted }]) {
      expect(await refusalOf(page(call))).toMatchObject({
        ...{ code: "too_large", limit: PAGE_MAX_BYTES, unit: "bytes" },
        size: expect.toSatisfy((size) => size > 6 * NOTE_BYTES),
      });
    }
    expect(await page({ limit: 4 })).toMatchObject({ total: RECORDS, records: { length: 4 } });
    const titles = await page({ limit: RECORDS, fields: ["title"] });
    expect(titles.records).toHaveLength(RECORDS);
    expect(await page({ limit: 0 })).toMatchObject({ total: RECORDS, records: [] });
  });

  it("returns the log in parts of bounded size, of one change at least, without a gap", async () => {
    const commands = environment.openNode({ PAGE_MAX_BYTES: NOTE_BYTES * 2.5 });
    const single = environment.openNode({ PAGE_MAX_BYTES: 1 });
    const first = await commands.readChanges(ann, { table, limit: RECORDS });
    expect(first.items).toHaveLength(2);
    const after = `${first.epoch}.${first.seq}`;
    const second = await single.readChanges(ann, { table, limit: RECORDS, after });
    const [last, next] = [first.items.at(-1), second.items[0]];
    expect(second.items).toHaveLength(1);
    expect(next?.seq).toBe((last?.seq ?? 0) + 1);
  });

  it.each([
    [90, {}, [90, 90, 80]],
    // The first hundred changes are read at once, and then as many as take 8 MiB.
    [RECORDS, { PAGE_MAX_BYTES: 15_000_000 }, [183, 77]],
  ])("returns each change of the activity once, %i at a time", async (limit, limits, lengths) => {
    const commands = environment.openNode(limits);
    const pages = [];
    for (let before: string | undefined; ; ) {
      const page = await commands.readActivity(ann, { table, limit, before });
      pages.push(page.items.map(({ record }) => record));
      before = page.next ?? undefined;
      if (before === undefined) break;
    }
    expect(pages.map(({ length }) => length)).toEqual(lengths);
    expect(new Set(pages.flat()).size).toBe(RECORDS);
  });

  it("exports large records in smaller batches, and each of them once", async () => {
    const sizes: number[] = [];
    const found = new Set<string>();
    for await (const { records } of environment.commands.exportRecords(ann, { table })) {
      sizes.push(records.length);
      for (const { id } of records) found.add(id);
    }
    expect(found.size).toBe(RECORDS);
    // The first batch waits for no record.
    expect(sizes).toEqual([0, 100, 83, 77]);
  });

  it.each([
    ["alone", false, [0, 100, 450]],
    ["beside others", true, [0, 100, 250, 200]],
  ])("exports in batches that are shorter beside others: %s", async (_, isShared, sizes) => {
    const commands = environment.openNode();
    await environment.database.pool.query(`insert into people (id, name)
      select 'p' || i, 'one' from generate_series(1, 550) i on conflict do nothing`);
    const found: number[] = [];
    for await (const { records } of commands.exportRecords(ann, { table: "people" })) {
      if (isShared) commands.budget.time.noteActivity("bob");
      found.push(records.length);
    }
    expect(found).toEqual(sizes);
  });

  it("refuses a history of more bytes than allowed, and returns one change of any size", async () => {
    const record = "history";
    await environment.database.pool.query("insert into groups (id, name) values ($1, '')", [
      record,
    ]);
    for (let n = 0; n < 30; n += 1) {
      await environment.database.pool.query(
        "update groups set name = repeat($1, $2) where id = $3",
        [...[String.fromCharCode(97 + (n % 26)), NOTE_BYTES, record]],
      );
    }
    const history = (limit: number, commands = bounded()) =>
      commands.readHistory(ann, "groups", record, { limit });
    expect(await refusalOf(history(30))).toMatchObject({
      ...{ code: "too_large", limit: PAGE_MAX_BYTES, unit: "bytes" },
    });
    expect(await history(2)).toHaveLength(2);
    expect(await history(1, environment.openNode({ PAGE_MAX_BYTES: 1 }))).toHaveLength(1);
    const all = await history(31, environment.commands);
    const newest = all[0]?.seq ?? 0;
    expect(all.map(({ seq }) => newest - seq)).toEqual(Array.from({ length: 31 }, (_, n) => n));
  });

  it("bounds a page together with what its links lead to", async () => {
    await environment.database.pool.query(
      `insert into groups (id, name) select 'wide' || i, repeat('g', ${NOTE_BYTES}) || i from generate_series(1, 2) i`,
    );
    await environment.database.pool.query(
      `update incidents set "group" = 'wide' || (1 + right(id, 1)::int % 2) where id like 'r00%'`,
    );
    const read = (limit: number, fields: string[]) =>
      bounded().answerPage(ann, { table, limit, fields, expand: ["group"] });
    const { expanded } = await read(2, ["notes", "group"]);
    expect(Object.keys(expanded?.group ?? {})).toHaveLength(2);
    expect(await refusalOf(read(4, ["notes", "group"]))).toMatchObject({
      ...{ code: "too_large", limit: PAGE_MAX_BYTES, unit: "bytes" },
      size: expect.toSatisfy((size) => size > 6 * NOTE_BYTES),
    });
    expect((await read(4, ["group"])).records).toHaveLength(4);
  });
});
