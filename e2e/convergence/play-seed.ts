import { setTimeout as sleep } from "node:timers/promises";
import type { Filter } from "../../shared/filter/filter.ts";
import type { SessionInfo } from "../../shared/protocol/session.ts";
import { LineProxy } from "../harness/line-proxy.ts";
import type { ServerProcess } from "../harness/server-process.ts";
import type { TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { Player } from "./player.ts";
import { type Fixture, performAction } from "./player-actions.ts";
import { restoreGrants, runEvent, setRole } from "./seed-events.ts";
import { SeededRandom } from "./seeded-random.ts";
import type { Lane, TestCluster } from "./test-cluster.ts";
import { verifyPlayers } from "./verify-players.ts";

const PLAYERS_MIN = 3;
const RECORDS = 12;
const ACTIONS_PER_PLAYER = 14;
const PAUSE_MAX_MS = 40;
const EVENTS = 10;
const CHECK_TOTALS_EVERY = 10;
const RESTART_EVERY = 20;
const REDIS_EVERY = 15;
const REDIS_DOWN_MS = 400;
const NARROW_PLAYER = 1;
/** Behaviour, not speed: a busy machine may take long, but it must finish. */
const QUIET_TIMEOUT_MS = 300_000;

/** Keeps apart the records of one seed that several lanes play at the same time. */
let playedSeeds = 0;

/**
 * Plays one seed: several browsers, another program, and faults between them. The seed fixes what everybody
 * does; the exact time depends on the machine. Throws violations.
 */
export async function playSeed(seed: number, arena: TestCluster, lane: Lane): Promise<void> {
  const random = new SeededRandom(seed);
  const fixture = await prepare(seed, lane);
  const count = PLAYERS_MIN + random.below(lane.users.length - PLAYERS_MIN + 1);
  const players: Player[] = [];
  try {
    for (const [index, user] of lane.users.slice(0, count).entries()) {
      const isNarrow = index === NARROW_PLAYER && seed % 2 === 0;
      const server = arena.serverOf(index);
      await assignRole(isNarrow ? arena.narrowRole : "editor", { user, lane, server });
      const line = await LineProxy.start(server.port, { tapped: isNarrow });
      players.push(new Player(user, line, viewsOf(fixture.tag, random), isNarrow));
    }
    const playing = players.map((player, index) =>
      play(player, fixture, new SeededRandom(seed * 31 + index)),
    );
    const world = runEvents(seed, { arena, lane, fixture, players });
    await Promise.all([...playing, world]);
    await waitUntilQuiet(players);
    await verifyPlayers(arena.installation.ownerUser, lane.program, players, fixture);
  } finally {
    await Promise.all(players.map((player) => player.stop()));
  }
}

/**
 * Gives a user their first role. Messages left from the previous seed must not narrow anybody any more: a
 * user who begins with fewer rights loses edits that this seed would check.
 */
async function assignRole(
  role: string,
  { user, lane, server }: { user: TestUser; lane: Lane; server: ServerProcess },
): Promise<void> {
  await setRole(lane, user, role);
  const headers = { authorization: `Bearer ${user.token}` };
  await until(`${user.info.name} is known as ${role}`, QUIET_TIMEOUT_MS, async () => {
    // Another seed may restart the server at any moment, also while it answers.
    const answer = await fetch(`${server.url}/api/v1/session`, { headers }).catch(() => null);
    if (!answer?.ok) return false;
    const info = (await answer.json().catch(() => null)) as SessionInfo | null;
    return info?.user.role === role;
  });
}

async function prepare(seed: number, { program }: Lane): Promise<Fixture> {
  const tag = `s${seed}.${++playedSeeds}.${Date.now().toString(36)}`;
  let textCount = 0;
  const records = Array.from({ length: RECORDS }, (_, index) => `${tag}-${index}`);
  const insert = `insert into incidents (id, title, category)
    select id, 'at first ' || id, $2 from unnest($1::text[]) as id`;
  await program.query(insert, [records, tag]);
  return {
    tag,
    records,
    checksTotals: seed % CHECK_TOTALS_EVERY === 0,
    unique: () => `${tag} ${++textCount}`,
  };
}

/** Everything of the seed in one order, and a part of it in another. */
function viewsOf(tag: string, random: SeededRandom) {
  const all: Filter = { field: "category", op: "eq", value: tag };
  const urgent: Filter = { field: "impact", op: "in", value: ["1 - High", "2 - Medium"] };
  const sorts = [["title"], ["-reassignments", "title"], ["-impact", "title"]];
  return [
    { filter: all, sort: ["number"], search: "" },
    { filter: { and: [all, urgent] }, sort: random.pick(sorts), search: "" },
  ];
}

async function play(player: Player, fixture: Fixture, random: SeededRandom): Promise<void> {
  for (let actionCount = 0; actionCount < ACTIONS_PER_PLAYER; actionCount++) {
    await performAction(player, fixture, random);
    await sleep(random.below(PAUSE_MAX_MS));
  }
}

async function runEvents(seed: number, context: Parameters<typeof runEvent>[0]): Promise<void> {
  const random = new SeededRandom(seed * 31 + 17);
  for (let events = 0; events < EVENTS; events++) {
    await sleep(random.below(2 * PAUSE_MAX_MS));
    await runEvent(context, random);
  }
  await restoreGrants(context.lane, random);
  if (seed % REDIS_EVERY === 1) await context.arena.interruptRedis(REDIS_DOWN_MS);
  if (seed % RESTART_EVERY === 0) await context.arena.restart(random);
}

async function waitUntilQuiet(players: readonly Player[]): Promise<void> {
  await Promise.all(
    players.map((player) =>
      until("the player is quiet", QUIET_TIMEOUT_MS, () => player.isQuiet()).catch((error) => {
        throw new Error(`${(error as Error).message}; ${player.describe()}`);
      }),
    ),
  );
}
