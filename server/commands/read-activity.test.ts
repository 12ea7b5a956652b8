import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { readActivityWindow } from "../store/activity.ts";
import { numberOf } from "../store/statement.ts";
import {
  boss,
  buildScopedDesk,
  everything,
  reader,
  redWithoutNotes,
  refusalOf,
  rowsOfRed,
  type ScopedDesk,
  table,
} from "./testing/scoped-desk.ts";

describe.each(databases)("origins and activity on $name", (kind) => {
  let desk: ScopedDesk;
  beforeAll(async () => {
    desk = await buildScopedDesk(kind);
  });
  afterAll(async () => {
    expect(desk.errors).toEqual([]);
    await desk[Symbol.asyncDispose]();
  });

  const activity = async (call: object, who = boss) =>
    (await desk.commands.readActivity(who, call)).items;

  it("A1 each change names its origin and its change set, in history, activity and the feed", async () => {
    const record = await desk.createIncident();
    const op = { op: "update", table, record, set: { title: "pasted" }, overwrite: true } as const;
    await desk.commands.mutate(boss, { ops: [op], origin: "paste", changeSet: "set-1" });
    const named = { origin: "paste", changeSet: "set-1" };
    const [first, second] = await desk.commands.readHistory(boss, table, record);
    expect(first).toMatchObject({ ...named, fields: { title: { after: "pasted" } } });
    expect(second?.origin).toBe("api");
    expect(await activity({ changeSet: "set-1" })).toMatchObject([{ ...named, record }]);
    expect((await desk.feed()).at(-1)).toMatchObject(named);
    expect(desk.committed.at(-1)?.[0]?.span?.changes).toMatchObject([named]);
  });

  it("A1 a change of another program has no origin, whatever it says", async () => {
    const record = await desk.createIncident();
    const note = JSON.stringify({ [record]: { origin: "our own" } });
    const client = await desk.database.connect();
    await client.query("select set_config('watchfloor.notes', $1, false)", [note]);
    await client.query("update incidents set title = 'elsewhere' where id = $1", [record]);
    await client.end();
    const [change] = await activity({ table, record });
    expect(change).toMatchObject({ by: { kind: "external" } });
    expect(change).not.toHaveProperty("origin");
  });

  it("A2 the activity is filtered by record, author, field, origin, time and text", async () => {
    const record = await desk.createIncident();
    await desk.overwrite(record, { category: "Needle in a haystack" });
    const [change] = await activity({ table, record, field: "category" });
    expect(change).toMatchObject({ table, record, fields: { category: { before: null } } });
    const at = change?.at;
    expect(await activity({ search: "NEEDLE in" })).toEqual([change]);
    expect(await activity({ table, by: "boss", origin: "api", from: at })).toEqual([change]);
    expect((await activity({ table, to: at, limit: 1 }))[0]).toMatchObject({ kind: "insert" });
    expect(await activity({ by: "nobody" })).toEqual([]);
    expect(await activity({ origin: "import" })).toEqual([]);
    await desk.run(boss, { op: "delete", table, record, overwrite: true });
    expect(await activity({ kind: "delete" })).toMatchObject([{ kind: "delete", record }]);
  });

  it("A2 finds what a table had behind tens of thousands of later changes of others", async () => {
    await using own = await buildScopedDesk(kind);
    await own.run(boss, { op: "create", table: "groups", record: "quiet", values: { name: "Q" } });
    await own.database.pool.query(
      "insert into incidents (id, title) select 'l' || n, 'later' from generate_series(1, 21000) n",
    );
    const { items } = await own.commands.readActivity(boss, { table: "groups" });
    expect(items).toMatchObject([{ record: "quiet" }, {}, {}]);
  });

  it("A2 reads each entry of a large transaction once, not again for each that follows it", async () => {
    await using own = await buildScopedDesk(kind);
    const count = 1_000;
    await own.database.pool.query(
      "insert into incidents (id, title) select 'l' || n, 'later' from generate_series(1, $1::int) n",
      [count],
    );
    const rowsRead = (name: string) =>
      own.database.kysely.transaction().execute(async (tx) => {
        const window = { before: null, size: count };
        const { changes } = await readActivityWindow(
          { ...own.database, kysely: tx },
          { tables: [name] },
          window,
        );
        const read = await numberOf(tx)`select seq_tup_read + idx_tup_fetch
          from pg_stat_xact_all_tables where relid = 'watchfloor.change'::regclass`;
        return { found: changes.length, read };
      });
    const others = await rowsRead("groups");
    expect(others.found).toBe(0);
    expect(others.read).toBeLessThan(5 * count);
    const matching = await rowsRead(table);
    expect(matching.found).toBe(count);
    expect(matching.read).toBeLessThan(5 * count);
  });

  it("A2 pages continue where the one before ended", async () => {
    const all = await activity({ limit: 1_000 });
    const paged: unknown[] = [];
    for (let before: string | undefined; ; ) {
      const page = await desk.commands.readActivity(boss, { limit: 3, before });
      paged.push(...page.items);
      if (page.next === null) break;
      before = page.next;
    }
    expect(paged).toEqual(all);
    expect(all.length).toBeGreaterThan(6);
  });

  it("A2 shows a change only to who can read the record now and in both images", async () => {
    const record = await desk.createIncident("Blue");
    await desk.overwrite(record, { title: "canary while Blue" });
    await desk.overwrite(record, { group: "Red", title: "entered" });
    await desk.overwrite(record, { notes: "canary of notes" });
    await desk.overwrite(record, { title: "seen" });
    const shown = await activity({ table, record }, redWithoutNotes);
    expect(shown.map(({ fields }) => fields)).toEqual([
      { title: { before: "entered", after: "seen" } },
    ]);
    expect(await activity({ search: "canary" }, redWithoutNotes)).toEqual([]);
    await desk.overwrite(record, { group: "Blue" });
    expect(await activity({ table, record }, rowsOfRed)).toEqual([]);
  });

  it("A2 a deleted record keeps its activity for who could read it", async () => {
    const record = await desk.createIncident("Red");
    await desk.run(boss, { op: "delete", table, record, overwrite: true });
    expect(await activity({ table, record }, rowsOfRed)).toMatchObject([
      { kind: "delete" },
      { kind: "insert" },
    ]);
    const ofBlue = await desk.createIncident("Red");
    await desk.overwrite(ofBlue, { group: "Blue" });
    await desk.run(boss, { op: "delete", table, record: ofBlue, overwrite: true });
    expect(await activity({ table, record: ofBlue }, rowsOfRed)).toEqual([]);
  });

  it("A2 needs the right to history, and names no hidden field", async () => {
    const { commands } = desk;
    const noHistory = reader({ ...everything, read: true, history: false });
    expect(await refusalOf(commands.readActivity(noHistory, { table }))).toMatchObject({
      code: "forbidden",
    });
    expect(
      (await commands.readActivity(noHistory, {})).items.filter((one) => one.table === table),
    ).toEqual([]);
    const hidden = commands.readActivity(redWithoutNotes, { table, field: "notes" });
    expect(await refusalOf(hidden)).toMatchObject({ code: "invalid_request" });
    expect(await refusalOf(commands.readActivity(boss, { record: "x" }))).toMatchObject({
      at: "record",
    });
    expect(await refusalOf(commands.readActivity(boss, { before: "-" }))).toMatchObject({
      at: "before",
    });
  });
});
