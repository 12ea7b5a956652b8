import { setTimeout as sleep } from "node:timers/promises";
import type { Filter } from "../../shared/filter/filter.ts";
import type { SessionInfo } from "../../shared/protocol/session-info.ts";
import { LineProxy } from "../harness/line-proxy.ts";
import type { Person } from "../harness/person.ts";
import type { ServerProcess } from "../harness/server-process.ts";
import { until } from "../harness/until.ts";
import type { Arena, Lane } from "./arena.ts";
import { Dice } from "./dice.ts";
import { judge } from "./judge.ts";
import { type Ground, move } from "./moves.ts";
import { Player } from "./player.ts";
import { happen, setRole, settleGrants } from "./world.ts";

const PLAYERS_MIN = 3;
const RECORDS = 12;
const MOVES_PER_PLAYER = 14;
const PAUSE_MAX_MS = 40;
const HAPPENINGS = 10;
const PATIENT_EVERY = 10;
const RESTART_EVERY = 20;
const REDIS_EVERY = 15;
const REDIS_AWAY_MS = 400;
const BLIND_PLAYER = 1;
/** Behaviour, not speed: a busy machine may take long, but it must come to rest. */
const REST_WITHIN_MS = 300_000;

/**
 * Plays one seed: several browsers, another program, and whatever goes wrong between them. The seed
 * fixes what everybody does; when exactly it happens is the machine's. Throws what did not hold.
 */
export async function playSeed(seed: number, arena: Arena, lane: Lane): Promise<void> {
  const dice = new Dice(seed);
  const ground = await prepare(seed, lane);
  const count = PLAYERS_MIN + dice.below(lane.people.length - PLAYERS_MIN + 1);
  const players: Player[] = [];
  try {
    for (const [index, person] of lane.people.slice(0, count).entries()) {
      const isBlind = index === BLIND_PLAYER && seed % 2 === 0;
      const server = arena.serverOf(index);
      await beginAs(isBlind ? arena.narrowRole : "editor", { person, lane, server });
      const line = await LineProxy.start(server.port, { tapped: isBlind });
      players.push(new Player(person, line, viewsOf(ground.tag, dice), isBlind));
    }
    const playing = players.map((player, index) =>
      play(player, ground, new Dice(seed * 31 + index)),
    );
    const world = happenings(seed, { arena, lane, ground, players });
    await Promise.all([...playing, world]);
    await rest(players);
    await judge(arena.desk.boss, lane.program, players, ground);
  } finally {
    await Promise.all(players.map((player) => player.stop()));
  }
}

/**
 * Gives somebody the role that they begin with. What the seed before has left to be heard of narrows nobody any
 * more: who begins with less than that loses edits that this seed would ask for.
 */
async function beginAs(
  role: string,
  { person, lane, server }: { person: Person; lane: Lane; server: ServerProcess },
): Promise<void> {
  await setRole(lane, person, role);
  const headers = { authorization: `Bearer ${person.token}` };
  await until(`${person.info.name} is known as ${role}`, REST_WITHIN_MS, async () => {
    // Another seed may start the server anew at any moment, also while it answers.
    const answer = await fetch(`${server.url}/api/v1/session`, { headers }).catch(() => null);
    if (!answer?.ok) return false;
    const info = (await answer.json().catch(() => null)) as SessionInfo | null;
    return info?.user.role === role;
  });
}

async function prepare(seed: number, { program }: Lane): Promise<Ground> {
  const tag = `s${seed}.${Date.now().toString(36)}`;
  let words = 0;
  const records = Array.from({ length: RECORDS }, (_, index) => `${tag}-${index}`);
  const insert = `insert into incidents (id, title, category)
    select id, 'at first ' || id, $2 from unnest($1::text[]) as id`;
  await program.query(insert, [records, tag]);
  return { tag, records, isPatient: seed % PATIENT_EVERY === 0, unique: () => `${tag} ${++words}` };
}

/** Everything of the seed in one order, and a part of it in another. */
function viewsOf(tag: string, dice: Dice) {
  const all: Filter = { field: "category", op: "eq", value: tag };
  const urgent: Filter = { field: "impact", op: "in", value: ["1 - High", "2 - Medium"] };
  const sorts = [["title"], ["-reassignments", "title"], ["-impact", "title"]];
  return [
    { filter: all, sort: ["number"], search: "" },
    { filter: { and: [all, urgent] }, sort: dice.pick(sorts), search: "" },
  ];
}

async function play(player: Player, ground: Ground, dice: Dice): Promise<void> {
  for (let moves = 0; moves < MOVES_PER_PLAYER; moves++) {
    await move(player, ground, dice);
    await sleep(dice.below(PAUSE_MAX_MS));
  }
}

async function happenings(seed: number, scene: Parameters<typeof happen>[0]): Promise<void> {
  const dice = new Dice(seed * 31 + 17);
  for (let events = 0; events < HAPPENINGS; events++) {
    await sleep(dice.below(2 * PAUSE_MAX_MS));
    await happen(scene, dice);
  }
  await settleGrants(scene.lane, dice);
  if (seed % REDIS_EVERY === 1) await scene.arena.loseRedis(REDIS_AWAY_MS);
  if (seed % RESTART_EVERY === 0) await scene.arena.restart(dice);
}

async function rest(players: readonly Player[]): Promise<void> {
  await Promise.all(
    players.map((player) =>
      until("the player is quiet", REST_WITHIN_MS, () => player.isQuiet()).catch((error) => {
        throw new Error(`${(error as Error).message}; ${player.describe()}`);
      }),
    ),
  );
}
