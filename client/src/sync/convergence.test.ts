import { describe, expect, it } from "vitest";
import type { RowList } from "./rows/row-list.ts";
import { RandomRun, type RandomUser } from "./testing/random-run.ts";

/** More seeds on demand: `SEEDS=5000 npm test -- client/src/sync/convergence`, from WATCHFLOOR_SEED on. */
const env = (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env;
const SEEDS = Number(env?.SEEDS ?? 60);
const FIRST_SEED = Number(env?.WATCHFLOOR_SEED ?? 1);
const STEPS = 120;

async function createRun(seed: number): Promise<RandomRun> {
  const run = new RandomRun(seed);
  await run.system.clock.advance(50);
  run.addFaults();
  for (let step = 0; step < STEPS; step++) {
    await run.step();
    await run.system.clock.advance(run.system.clock.random() * 80);
  }
  await run.stopFaults();
  return run;
}

/** All rows that the view would show this user if it were opened now. */
function expectedPage(run: RandomRun, user: RandomUser, rowList: RowList) {
  const { server } = run.system;
  const { filter, sort, search } = rowList.view;
  const scope = server.scopeOf(user.client.line.user);
  const call = { table: "incidents", filter, sort: [...sort], search, limit: 1_000 };
  return server.incidents.query(call, scope);
}

async function readRows(run: RandomRun, rowList: RowList) {
  rowList.realign();
  await run.system.clock.advance(100);
  const pendingRows = rowList.getRows(0, 600);
  await run.system.clock.advance(100);
  return (await pendingRows).rows;
}

async function check(run: RandomRun): Promise<void> {
  const { server } = run.system;
  for (const runs of server.runs.values()) expect(runs).toBe(1);
  for (const user of run.users) {
    const { client, session, rowLists, outcomes } = user;
    expect(client.connection()).toBe("live");
    expect(client.counts().waiting).toBe(0);
    expect(session.position).toEqual({ epoch: server.incidents.epoch, seq: server.incidents.head });
    await Promise.all(outcomes);
    const stored = await client.storage.load(client.line.user);
    for (const { refusals } of stored) expect(refusals).not.toEqual({});
    checkLoaded(run, user);
    for (const rowList of rowLists) {
      const page = expectedPage(run, user, rowList);
      expect(rowList.status.total).toBe(page.total);
      const rows = await readRows(run, rowList);
      expect(rows.map(({ id }) => id)).toEqual(page.records.map(({ id }) => id));
      expect(rows.map(({ values }) => values)).toEqual(page.records.map(({ values }) => values));
      expect(rowList.status).toMatchObject({ waiting: 0, displaced: 0, rowCount: page.total });
    }
  }
}

/** What was on the screen all along, before anything is read again. */
function checkLoaded(run: RandomRun, user: RandomUser): void {
  const { session, rowLists, client } = user;
  const scope = run.system.server.scopeOf(client.line.user);
  const all = run.system.server.incidents.query({ table: "incidents", limit: 1_000 }, scope);
  const expected = new Map(all.records.map(({ id, values }) => [id, values]));
  expect(session.phase).toBe("live");
  for (const rowList of rowLists) {
    expect(rowList.status.phase).toBe("ready");
    expect(rowList.status.rowCount > 0).toBe(rowList.status.total > 0);
    for (let index = 0; index < rowList.status.rowCount; index++) {
      const row = rowList.at(index);
      if (!row) continue;
      expect(session.get(row.id)?.values).toEqual(expected.get(row.id) ?? {});
      if (!expected.has(row.id)) expect(row.mark).toBe("deleted");
    }
  }
}

describe("several clients on bad lines", () => {
  it(
    `C32 all show what the server holds after it is quiet (${SEEDS} seeds)`,
    async () => {
      for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
        const run = await createRun(seed);
        await check(run).catch((error: unknown) => {
          throw new Error(`WATCHFLOOR_SEED=${seed}`, { cause: error });
        });
        for (const { client } of run.users) await client.core.stop();
      }
    },
    60_000 + SEEDS * 15_000,
  );
});
