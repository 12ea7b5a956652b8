import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { defaultLimits } from "../../shared/limits.ts";
import type { Identity } from "../auth/identity.ts";
import { boss, rowsOfRed } from "../commands/testing/scoped-desk.ts";
import type { Db } from "../store/database.ts";
import { ChangeSets } from "./change-sets.ts";
import { type ChangeSetDesk, openChangeSetDesk, rename } from "./testing/change-set-desk.ts";

/** Ops on each of two records: together more than are counted each time. */
const OPS = 600;
/** How long a count takes here: it is used again for ten times as long. */
const COUNT_MS = 200;

describe.each(databases.slice(0, 1))("the progress of a large set on $name", (kind) => {
  let at: ChangeSetDesk;
  let sets: ChangeSets;
  let set: string;
  let counts = 0;
  const narrowed: Identity = { ...boss, subject: { ...rowsOfRed.subject, id: boss.subject.id } };

  /** Notices, and slows down, the statement that counts the ops of sets. */
  const counting: Parameters<Db["withPlugin"]>[0] = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const [row] = result.rows;
      if (row && "count" in row && "kind" in row && "set" in row) {
        counts += 1;
        await sleep(COUNT_MS);
      }
      return result;
    },
  };

  beforeAll(async () => {
    at = await openChangeSetDesk(kind);
    const { desk } = at;
    sets = new ChangeSets({
      database: { ...desk.database, kysely: desk.database.kysely.withPlugin(counting) },
      model: () => desk.model,
      limits: defaultLimits,
      commands: desk.commands,
      identify: async () => boss,
      onError: (error) => desk.errors.push(error),
    });
    const records = [await desk.createIncident(), await desk.createIncident("Blue")];
    set = (await at.draft(records.map((record) => rename(record, "mine")))).id;
    const { pool } = desk.database;
    await pool.query(
      `insert into watchfloor.change_set_op (change_set, n, table_id, record, kind, op)
       select change_set, n + 2 * i, table_id, record, kind, op
       from watchfloor.change_set_op, generate_series(1, $2::int) i where change_set = $1`,
      [set, OPS - 1],
    );
    await pool.query(
      `update watchfloor.change_set set state = 'applying', lease_by = 'another server',
       lease_until = now() + interval '1 hour' where id = $1`,
      [set],
    );
  });
  afterAll(async () => {
    expect(at.desk.errors).toEqual([]);
    await at.desk[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    counts = 0;
  });

  it("G3 is counted once for all who ask for it, and again after ten times as long", async () => {
    const polls = Array.from({ length: 5 }, () => sets.one(boss, set));
    for (const { progress } of await Promise.all(polls)) expect(progress.total).toBe(2 * OPS);
    await sets.one(boss, set);
    expect(counts).toBe(1);
    await expect
      .poll(async () => (await sets.one(boss, set)) && counts, { timeout: 30_000 })
      .toBe(2);
  });

  it("G3 is counted for each reader's own scope", async () => {
    expect((await sets.one(boss, set)).progress.total).toBe(2 * OPS);
    expect((await sets.one(narrowed, set)).progress.total).toBe(OPS);
    expect((await sets.one(boss, set)).progress.total).toBe(2 * OPS);
  });

  it("G3 is that of the end as soon as the set has ended", async () => {
    expect((await sets.one(boss, set)).progress.applied).toBe(0);
    await at.desk.database.pool.query(
      "update watchfloor.change_set_op set status = 'applied' where change_set = $1",
      [set],
    );
    await at.desk.database.pool.query(
      "update watchfloor.change_set set state = 'applied', version = version + 1 where id = $1",
      [set],
    );
    expect(await sets.one(boss, set)).toMatchObject({
      state: "applied",
      progress: { applied: 2 * OPS, total: 2 * OPS },
    });
  });
});
