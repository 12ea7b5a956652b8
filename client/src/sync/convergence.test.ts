import { describe, expect, it } from "vitest";
import { Game, type Player } from "./testing/game.ts";
import type { RecordWindow } from "./window/record-window.ts";

/** More seeds on demand: `CLIENT_SEEDS=5000 npm test -- client/src/sync/convergence`. */
const env = (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env;
const SEEDS = Number(env?.CLIENT_SEEDS ?? 60);
const FIRST_SEED = Number(env?.CLIENT_FIRST_SEED ?? 1);
const STEPS = 120;

async function play(seed: number): Promise<Game> {
  const game = new Game(seed);
  await game.desk.clock.advance(50);
  game.makeBad();
  for (let step = 0; step < STEPS; step++) {
    await game.step();
    await game.desk.clock.advance(game.desk.clock.random() * 80);
  }
  await game.calmDown();
  return game;
}

/** Everything the view would show to this person if it were opened now. */
function fresh(game: Game, player: Player, window: RecordWindow) {
  const { server } = game.desk;
  const { filter, sort, search } = window.view;
  const scope = server.scopeOf(player.client.line.user);
  const call = { table: "incidents", filter, sort: [...sort], search, limit: 1_000 };
  return server.incidents.query(call, scope);
}

async function shown(game: Game, window: RecordWindow) {
  window.realign();
  await game.desk.clock.advance(100);
  const asked = window.getRows(0, 600);
  await game.desk.clock.advance(100);
  return (await asked).rows;
}

async function check(game: Game): Promise<void> {
  const { server } = game.desk;
  for (const runs of server.runs.values()) expect(runs).toBe(1);
  for (const player of game.players) {
    const { client, session, windows, outcomes } = player;
    expect(client.connection()).toBe("live");
    expect(client.counts().waiting).toBe(0);
    expect(session.position).toEqual({ epoch: server.incidents.epoch, seq: server.incidents.head });
    await Promise.all(outcomes);
    const stored = await client.storage.load(client.line.user);
    for (const { refusals } of stored) expect(refusals).not.toEqual({});
    checkHeld(game, player);
    for (const window of windows) {
      const page = fresh(game, player, window);
      expect(window.status.total).toBe(page.total);
      const rows = await shown(game, window);
      expect(rows.map(({ id }) => id)).toEqual(page.records.map(({ id }) => id));
      expect(rows.map(({ values }) => values)).toEqual(page.records.map(({ values }) => values));
      expect(window.status).toMatchObject({ waiting: 0, displaced: 0, rowCount: page.total });
    }
  }
}

/** What was on the screen all along, before anything is read again. */
function checkHeld(game: Game, player: Player): void {
  const { session, windows, client } = player;
  const scope = game.desk.server.scopeOf(client.line.user);
  const all = game.desk.server.incidents.query({ table: "incidents", limit: 1_000 }, scope);
  const truth = new Map(all.records.map(({ id, values }) => [id, values]));
  for (const window of windows) {
    for (let index = 0; index < window.status.rowCount; index++) {
      const row = window.at(index);
      if (!row) continue;
      expect(session.get(row.id)?.values).toEqual(truth.get(row.id) ?? {});
      if (!truth.has(row.id)) expect(row.mark).toBe("deleted");
    }
  }
}

describe("several clients on bad lines", () => {
  it(
    `C32 all show what the server holds after it is quiet (${SEEDS} seeds)`,
    async () => {
      for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
        const game = await play(seed);
        await check(game).catch((error: unknown) => {
          throw new Error(`CLIENT_FIRST_SEED=${seed} CLIENT_SEEDS=1`, { cause: error });
        });
        for (const { client } of game.players) await client.core.stop();
      }
    },
    60_000 + SEEDS * 15_000,
  );
});
