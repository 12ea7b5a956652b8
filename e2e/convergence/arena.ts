import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { Desk, type DeskOptions } from "../harness/desk.ts";
import { addPerson, type Person } from "../harness/person.ts";
import { ServerProcess } from "../harness/server-process.ts";
import type { TestRedis } from "../provision/redis.ts";
import type { Dice } from "./dice.ts";

const PLAYERS_PER_LANE = 5;

const work = { create: true, update: true, delete: true, transitions: true, history: true };

/** Sees no notes, and nothing of little impact. */
const narrow = {
  read: {
    hide: ["notes"],
    filter: {
      or: [
        { field: "impact", op: "isEmpty" },
        { field: "impact", op: "in", value: ["1 - High", "2 - Medium"] },
      ],
    },
  },
  ...work,
};

/** What the lane's own role grants by turns: everything, less, rows by an attribute, and now and then nothing. */
export const shiftingGrants: readonly object[] = [
  { incidents: { read: true, ...work } },
  { incidents: { read: { hide: ["notes"] }, ...work } },
  {
    incidents: {
      ...{ read: { filter: { field: "impact", op: "eq", value: "$me.level" } }, ...work },
      update: { fields: ["title", "location"] },
    },
  },
  {},
];

/** Those who play one seed at a time: people of their own, and another program in Postgres. */
export interface Lane {
  people: readonly Person[];
  /** A role of their own, whose grants change while they play. */
  shiftingRole: string;
  program: pg.Client;
}

export interface ArenaOptions extends DeskOptions {
  lanes: number;
  nodes: number;
  redis?: TestRedis | undefined;
}

/** Long-lived servers for all seeds, and several lanes that play at once against them. */
export class Arena implements AsyncDisposable {
  readonly desk: Desk;
  readonly lanes: readonly Lane[];
  readonly narrowRole: string;
  readonly #redis: TestRedis | undefined;
  readonly #servers: readonly ServerProcess[];
  #restarting: Promise<void> = Promise.resolve();

  private constructor(
    desk: Desk,
    servers: readonly ServerProcess[],
    lanes: readonly Lane[],
    narrowRole: string,
    redis: TestRedis | undefined,
  ) {
    this.desk = desk;
    this.lanes = lanes;
    this.narrowRole = narrowRole;
    this.#servers = servers;
    this.#redis = redis;
  }

  static async open({ lanes, nodes, redis, ...options }: ArenaOptions): Promise<Arena> {
    if (redis) options.environment = { ...options.environment, REDIS_URL: redis.url };
    const desk = await Desk.open(options);
    const environment = { ...options.environment, DATABASE_URL: desk.databaseUrl };
    const servers = [desk.server];
    while (servers.length < nodes) servers.push(await ServerProcess.start({ environment }));
    const opening = Array.from({ length: lanes }, (_, lane) => openLane(desk, lane));
    const call = { name: "Narrow", grants: { incidents: narrow } };
    const { id } = await desk.boss.call<{ id: string }>("POST", "/roles", call);
    return new Arena(desk, servers, await Promise.all(opening), id, redis);
  }

  /** The node on which a player works. */
  serverOf(player: number): ServerProcess {
    return this.#servers[player % this.#servers.length] as ServerProcess;
  }

  /** Redis is gone for a moment, where there is one. */
  async loseRedis(ms: number): Promise<void> {
    await this.#redis?.stop("SIGKILL");
    await sleep(ms);
    await this.#redis?.start();
  }

  /** Ends a node, gently or not, and starts it again; one at a time. */
  restart(dice: Dice): Promise<void> {
    const server = dice.pick(this.#servers);
    const signal = dice.pick(["SIGKILL", "SIGTERM"] as const);
    const restarted = this.#restarting.then(async () => {
      await server.kill(signal);
      await server.start();
    });
    // what failed for one seed is not the next one's failure
    this.#restarting = restarted.catch(() => undefined);
    return restarted;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { program } of this.lanes) await program.end();
    for (const server of this.#servers.slice(1)) await server[Symbol.asyncDispose]();
    await this.desk[Symbol.asyncDispose]();
    await this.#redis?.close();
  }
}

async function openLane({ server, boss, databaseUrl }: Desk, lane: number): Promise<Lane> {
  const people: Person[] = [];
  for (let index = 0; index < PLAYERS_PER_LANE; index++) {
    people.push(await addPerson(server.url, boss, `Player ${lane} ${index}`));
  }
  const program = new pg.Client({ connectionString: databaseUrl });
  await program.connect();
  const call = { name: `Shifting ${lane}`, grants: shiftingGrants[0] };
  const role = await boss.call<{ id: string }>("POST", "/roles", call);
  return { people, program, shiftingRole: role.id };
}
