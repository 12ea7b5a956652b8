import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { ServerProcess } from "../harness/server-process.ts";
import { TestInstallation, type TestInstallationOptions } from "../harness/test-installation.ts";
import { addUser, type TestUser } from "../harness/test-user.ts";
import type { TestRedis } from "../provision/redis.ts";
import type { SeededRandom } from "./seeded-random.ts";

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

/** The grants of the lane's own role in turn: everything, less, rows by an attribute, and sometimes nothing. */
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

/** The players of one seed at a time: their own users, and another program in Postgres. */
export interface Lane {
  users: readonly TestUser[];
  /** A role of their own, whose grants change while they play. */
  shiftingRole: string;
  program: pg.Client;
}

export interface TestClusterOptions extends TestInstallationOptions {
  lanes: number;
  nodes: number;
  redis?: TestRedis | undefined;
}

/** Long-lived servers for all seeds, and several lanes that run in parallel against them. */
export class TestCluster implements AsyncDisposable {
  readonly installation: TestInstallation;
  readonly lanes: readonly Lane[];
  readonly narrowRole: string;
  readonly #redis: TestRedis | undefined;
  readonly #servers: readonly ServerProcess[];
  #restarting: Promise<void> = Promise.resolve();

  private constructor(
    installation: TestInstallation,
    servers: readonly ServerProcess[],
    lanes: readonly Lane[],
    narrowRole: string,
    redis: TestRedis | undefined,
  ) {
    this.installation = installation;
    this.lanes = lanes;
    this.narrowRole = narrowRole;
    this.#servers = servers;
    this.#redis = redis;
  }

  static async open({ lanes, nodes, redis, ...options }: TestClusterOptions): Promise<TestCluster> {
    if (redis) options.environment = { ...options.environment, REDIS_URL: redis.url };
    const installation = await TestInstallation.open(options);
    const environment = { ...options.environment, DATABASE_URL: installation.databaseUrl };
    const servers = [installation.server];
    while (servers.length < nodes) servers.push(await ServerProcess.start({ environment }));
    const opening = Array.from({ length: lanes }, (_, lane) => openLane(installation, lane));
    const call = { name: "Narrow", grants: { incidents: narrow } };
    const { id } = await installation.ownerUser.call<{ id: string }>("POST", "/roles", call);
    return new TestCluster(installation, servers, await Promise.all(opening), id, redis);
  }

  /** The node on which a player works. */
  serverOf(player: number): ServerProcess {
    return this.#servers[player % this.#servers.length] as ServerProcess;
  }

  /** Redis is gone for a moment, if there is one. */
  async interruptRedis(ms: number): Promise<void> {
    await this.#redis?.stop("SIGKILL");
    await sleep(ms);
    await this.#redis?.start();
  }

  /** Ends a node, gently or not, and starts it again; one at a time. */
  restart(random: SeededRandom): Promise<void> {
    const server = random.pick(this.#servers);
    const signal = random.pick(["SIGKILL", "SIGTERM"] as const);
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
    await this.installation[Symbol.asyncDispose]();
    await this.#redis?.close();
  }
}

async function openLane(
  { server, ownerUser, databaseUrl }: TestInstallation,
  lane: number,
): Promise<Lane> {
  const users: TestUser[] = [];
  for (let index = 0; index < PLAYERS_PER_LANE; index++) {
    users.push(await addUser(server.url, ownerUser, `Player ${lane} ${index}`));
  }
  const program = new pg.Client({ connectionString: databaseUrl });
  await program.connect();
  const call = { name: `Shifting ${lane}`, grants: shiftingGrants[0] };
  const role = await ownerUser.call<{ id: string }>("POST", "/roles", call);
  return { users, program, shiftingRole: role.id };
}
