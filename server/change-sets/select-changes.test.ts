import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { until } from "../../e2e/harness/until.ts";
import { databases } from "../../e2e/provision/databases.ts";
import { boss, table } from "../commands/testing/scoped-desk.ts";
import { ann, type ChangeSetDesk, openChangeSetDesk, rename } from "./testing/change-set-desk.ts";

/** More than are read at once. */
const RECORDS = 1_100;

describe.each(databases.slice(0, 1))("reverts of many changes on $name", (kind) => {
  let at: ChangeSetDesk;
  let set: string;
  beforeAll(async () => {
    at = await openChangeSetDesk(kind);
    await at.desk.database.pool.query(`insert into incidents (id, title)
      select 'many' || lpad(i::text, 4, '0'), 'many' from generate_series(1, ${RECORDS}) i`);
    const filter = { field: "title", op: "eq", value: "many" } as const;
    const bulk = { table, filter, set: { title: "edited" } };
    set = (await at.sets.create(boss, { bulk })).id;
    await at.sets.apply(boss, set, { atomic: false });
    await until("the set is applied", 60_000, async () => {
      return (await at.sets.one(boss, set)).state === "applied";
    });
  });
  afterAll(async () => {
    expect(at.desk.errors).toEqual([]);
    await at.desk[Symbol.asyncDispose]();
  });

  it("G4 reads their values in parts, each after the ops of the one before it were written", async () => {
    const events: string[] = [];
    const { commands } = at.desk;
    const sets = at.node(
      {},
      {
        readEntriesAt(identity, places) {
          events.push(`read ${places.length}`);
          return commands.readEntriesAt(identity, places);
        },
        paced(identity, part) {
          events.push("write");
          return commands.paced(identity, part);
        },
      },
    );
    const back = await sets.revert(boss, set);
    const runs = events.filter((event, index) => event !== events[index - 1]);
    expect(runs).toEqual(["read 1000", "write", "read 100", "write"]);
    expect(back).toMatchObject({ progress: { total: RECORDS } });
    const { items } = await sets.preview(boss, back.id, { limit: 1 });
    expect(items).toMatchObject([{ before: { title: "edited" }, after: { title: "many" } }]);
    await sets.remove(boss, back.id);
  });

  it("G4 reads the values of a record with more changes in parts, too, and takes all of them back", async () => {
    const changes = 2_500;
    const record = await at.desk.createIncident();
    const titleAt = (n: number) => (n === 0 ? "first" : `title ${n}`);
    const ops = Array.from({ length: changes }, (_, n) =>
      rename(record, titleAt(n + 1), titleAt(n)),
    );
    const long = await at.draft(ops);
    await at.sets.apply(boss, long.id, { atomic: false });
    await until("the set is applied", 60_000, async () => {
      return (await at.sets.one(boss, long.id)).state === "applied";
    });
    const read: number[] = [];
    const sets = at.node(
      {},
      {
        readEntriesAt(identity, places) {
          read.push(places.length);
          return at.desk.commands.readEntriesAt(identity, places);
        },
      },
    );
    const back = await sets.revert(boss, long.id);
    expect(read).toEqual([1_000, 1_000, 500]);
    expect(await sets.preview(boss, back.id, {})).toMatchObject({
      total: 1,
      items: [{ before: { title: titleAt(changes) }, after: { title: "first" } }],
    });
    await sets.apply(boss, back.id, {});
    expect(await at.valuesOf(record)).toMatchObject({ title: "first" });
    expect(await sets.one(boss, long.id)).toMatchObject({ state: "reverted" });
  });

  it("G5 counts the sets of others without reading their changes for readers who see the whole table", async () => {
    const readPlacedActivity = vi.fn(at.desk.commands.readPlacedActivity.bind(at.desk.commands));
    const sets = at.node({}, { readPlacedActivity });
    const counts = { update: RECORDS };
    expect(await sets.one(ann, set)).toMatchObject({ isOwn: false, counts });
    expect(readPlacedActivity).not.toHaveBeenCalled();
    await sets.preview(ann, set, {});
    expect(readPlacedActivity).toHaveBeenCalled();
  });

  it("G5 shows others a page of them in their order, and reads the values of that page only", async () => {
    const read: number[] = [];
    const sets = at.node(
      {},
      {
        readEntriesAt(identity, places) {
          read.push(places.length);
          return at.desk.commands.readEntriesAt(identity, places);
        },
      },
    );
    const own = await at.sets.preview(boss, set, { offset: 995, limit: 10 });
    const seen = await sets.preview(ann, set, { offset: 995, limit: 10, status: "update" });
    expect(seen).toMatchObject({ total: RECORDS, counts: { update: RECORDS } });
    expect(seen.items.map(({ index, record }) => [index, record])).toEqual(
      own.items.map(({ index, record }) => [index, record]),
    );
    expect(await sets.preview(ann, set, { status: "delete" })).toMatchObject({
      total: 0,
      items: [],
    });
    expect(read).toEqual([10, 0]);
  });
});
