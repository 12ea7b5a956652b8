import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Filter } from "../../shared/filter/filter.ts";
import { defaultLimits, type Limits } from "../../shared/limits.ts";
import type { BulkEdit } from "../../shared/protocol/change-sets.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Identity } from "../auth/identity.ts";
import { withReplaced } from "../commands/testing/command-environment.ts";
import {
  boss,
  buildScopedDesk,
  notesHidden,
  refusalOf,
  rowsOfRed,
  type ScopedDesk,
  table,
} from "../commands/testing/scoped-desk.ts";
import { deleteUnwritten } from "../store/change-sets/change-sets.ts";
import { writeBulkOps } from "./bulk-ops.ts";
import { ChangeSets } from "./change-sets.ts";

const users = new Map<string, Identity>([boss, rowsOfRed].map((one) => [one.user.id, one]));

describe.each(databases)("one edit to many records on $name", (kind) => {
  let desk: ScopedDesk;
  const deps = (limits: Partial<Limits> = {}) => ({
    database: desk.database,
    model: () => desk.model,
    limits: { ...defaultLimits, ...limits },
    commands: desk.commands,
    identify: async ({ id }: { id: string }) => users.get(id) ?? null,
    onError: (error: unknown) => desk.errors.push(error),
  });
  beforeAll(async () => {
    desk = await buildScopedDesk(kind);
  });
  afterAll(async () => {
    expect(desk.errors).toEqual([]);
    await desk[Symbol.asyncDispose]();
  });

  const opsOf = async (identity: Identity, bulk: BulkEdit, limits: Partial<Limits> = {}) => {
    const found: WireOp[] = [];
    await writeBulkOps(deps(limits), identity, bulk, async (ops) => {
      found.push(...ops);
    });
    return found;
  };
  const ops = (identity: Identity, bulk: Omit<BulkEdit, "table">, limits: Partial<Limits> = {}) =>
    opsOf(identity, { table, ...bulk }, limits);
  const seeds: Filter = { field: "id", op: "in", value: ["Red", "Blue"] };
  const set = { location: "Porto" };

  /** Transactions of servers that wait for their next statement. */
  const openTransactions = async () => {
    const { rows } = await desk.database.pool.query(`select count(*)::int as count
      from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`);
    return rows[0]?.count;
  };
  const storedOps = async () => {
    const { rows } = await desk.database.pool.query(
      "select count(*)::int as count from watchfloor.change_set_op",
    );
    return rows[0]?.count;
  };

  it("G8 becomes an op for each matching record, with its stored value as the base", async () => {
    await desk.overwrite("Blue", { location: "Oslo" });
    expect(await ops(boss, { filter: seeds, set })).toEqual(
      expect.arrayContaining([
        { op: "update", table, record: "Red", set, base: { location: null } },
        { op: "update", table, record: "Blue", set, base: { location: "Oslo" } },
      ]),
    );
    expect(await ops(boss, { filter: seeds, search: "of Red", set })).toHaveLength(1);
    expect(
      await ops(boss, { filter: seeds, transition: "activate", reason: "All of them" }),
    ).toMatchObject([
      { op: "transition", transition: "activate", from: "New", reason: "All of them" },
      { op: "transition", transition: "activate", from: "New" },
    ]);
  });

  it("G8 holds only records that its author can read, and refuses hidden fields like unknown ones", async () => {
    const own = await ops(rowsOfRed, { filter: seeds, set });
    expect(own.map(({ record }) => record)).toEqual(["Red"]);
    const hidden = await refusalOf(ops(notesHidden, { set: { notes: "x" } }));
    const unknown = await refusalOf(ops(notesHidden, { set: { nowhere: "x" } }));
    expect(hidden).toMatchObject({ code: "invalid_request" });
    expect(JSON.stringify(hidden).replaceAll("notes", "nowhere")).toBe(JSON.stringify(unknown));
    const byHidden = { field: "notes", op: "contains", value: "secret" } as const;
    expect(await refusalOf(ops(notesHidden, { filter: byHidden, set }))).toMatchObject({
      code: "invalid_request",
    });
    expect(
      await refusalOf(opsOf(rowsOfRed, { table: "groups", set: { name: "x" } })),
    ).toMatchObject({ code: "not_found" });
    expect(await refusalOf(opsOf(boss, { table: "groups", transition: "activate" }))).toMatchObject(
      { code: "invalid_request" },
    );
  });

  it("G8 is refused for more records than a set may have ops", async () => {
    expect(await refusalOf(ops(boss, { set }, { CHANGE_SET_MAX_OPS: 1 }))).toMatchObject({
      code: "too_large",
      limit: 1,
    });
  });

  it("G8 is written part by part as it is read, and not at all if reading fails", async () => {
    const count = 300;
    await desk.database.pool.query(`insert into incidents (id, title)
      select 'part' || i, 'in parts' from generate_series(1, ${count}) i`);
    const filter: Filter = { field: "title", op: "eq", value: "in parts" };
    const events: string[] = [];
    let isFailing = false;
    const sets = new ChangeSets({
      ...deps(),
      commands: withReplaced(desk.commands, {
        readMatching: (identity, call, max, use) =>
          desk.commands.readMatching(identity, call, max, async (records) => {
            events.push(`read ${records.length}`);
            if (isFailing && events.length > 1) throw new Error("A part can't be read.");
            await use(records);
            events.push("written");
          }),
      }),
    });
    const draft = await sets.create(boss, { bulk: { table, filter, set } });
    expect(events).toEqual(["read 250", "written", "read 50", "written"]);
    const { total, items } = await sets.preview(boss, draft.id, { limit: 1_000 });
    expect(total).toBe(count);
    expect(new Set(items.map(({ index }) => index)).size).toBe(count);
    isFailing = true;
    events.length = 0;
    await expect(sets.create(boss, { bulk: { table, filter, set } })).rejects.toThrow("A part");
    expect(await sets.list(boss, { state: "draft" })).toHaveLength(1);
    await sets.remove(boss, draft.id);
  });

  it("G8 holds no transaction between two parts, and nobody finds the draft before its last one", async () => {
    const filter: Filter = { field: "title", op: "eq", value: "in parts" };
    const found: unknown[] = [];
    const sets = new ChangeSets({
      ...deps(),
      commands: withReplaced(desk.commands, {
        readMatching: (identity, call, max, use) =>
          desk.commands.readMatching(identity, call, max, async (records) => {
            await use(records);
            found.push(await openTransactions(), await sets.list(boss, { state: "draft" }));
          }),
      }),
    });
    const draft = await sets.create(boss, { bulk: { table, filter, set } });
    expect(found).toEqual([0, [], 0, []]);
    expect((await sets.one(boss, draft.id)).progress.total).toBe(300);
    await sets.remove(boss, draft.id);
  });

  it("G8 leaves nothing of a draft whose server is killed between two parts", async () => {
    const filter: Filter = { field: "title", op: "eq", value: "in parts" };
    const { promise: killed, resolve: goOn } = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const sets = new ChangeSets({
      ...deps(),
      commands: withReplaced(desk.commands, {
        readMatching: (identity, call, max, use) =>
          desk.commands.readMatching(identity, call, max, async (records) => {
            await use(records);
            written.resolve();
            await killed;
          }),
      }),
    });
    const making = refusalOf(sets.create(boss, { bulk: { table, filter, set } }));
    await written.promise;
    expect(await storedOps()).toBeGreaterThan(0);
    await desk.database.pool.query(
      "update watchfloor.change_set set lease_until = now() - interval '1 second' where state = 'writing'",
    );
    const stop = new ChangeSets(deps({ CHANGE_SET_RESUME_INTERVAL_MS: 50 })).start();
    await expect.poll(storedOps).toBe(0);
    await stop();
    goOn();
    expect(await making).toMatchObject({ code: "unavailable" });
    expect(await storedOps()).toBe(0);
  });

  it("G8 announces nothing while there is no draft that broke off", async () => {
    const received: unknown[] = [];
    const listener = await desk.database.connect();
    listener.on("notification", ({ payload }) => received.push(payload));
    await listener.query("listen watchfloor_changed");
    await deleteUnwritten(desk.database.kysely);
    await desk.database.pool.query("select pg_notify('watchfloor_changed', 'the end')");
    await expect.poll(() => received).toContain("the end");
    expect(received).toEqual(["the end"]);
    await listener.end();
  });

  it("G8 is previewed and applied like any draft", async () => {
    const sets = new ChangeSets(deps());
    const draft = await sets.create(boss, {
      title: "Close all",
      bulk: { table, filter: seeds, set: { category: "Network" } },
    });
    await desk.overwrite("Red", { category: "Changed since" });
    expect((await sets.preview(boss, draft.id, {})).counts).toMatchObject({
      update: 1,
      error: 1,
    });
    const preview = await sets.preview(boss, draft.id, { status: "error" });
    await sets.apply(boss, draft.id, { skip: preview.items.map(({ index }) => index) });
    const { items } = await desk.commands.readActivity(boss, { changeSet: draft.id });
    expect(items).toMatchObject([{ record: "Blue", fields: { category: { after: "Network" } } }]);
  });
});
