import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { owner, ServerProcess } from "../../e2e/harness/server-process.ts";
import { grantToTests } from "../../e2e/provision/postgres.ts";
import { startRedis } from "../../e2e/provision/redis.ts";
import { tempFolder } from "../../e2e/provision/temp-folder.ts";
import { type Floor, startFloor } from "../floor/start-floor.ts";
import { type ApiSession, signInApi } from "./api-session.ts";

/** What a bench runs on: the real server in its own process, and the floor on the same Postgres. */
export interface BenchEnvironment {
  /** One for each node. */
  urls: string[];
  /** Incidents of the bench's own, open and without notes: the ones it edits. */
  records: string[];
  /** The owner, signed in. */
  api: ApiSession;
  floor: Floor;
  /** A connection to the product's database that may also write without the triggers. */
  database: pg.Client;
  databaseUrl: string;
  /** The servers themselves, to be restarted. */
  servers: ServerProcess[];
  /** The servers' processes, and that of Postgres, whose children are its sessions. */
  pids: { servers: number[]; postgres: number };
}

const RECORDS = 250;
/** Lifts the limit of messages per socket: one socket of a bench represents many browsers. */
const liftedLimits = { WATCHFLOOR_SOCKET_MESSAGES_PER_SECOND: "100000" };
/** Options of Node for the servers, such as `--cpu-prof --cpu-prof-dir=/tmp/profile`. */
const { BENCH_SERVER_NODE_OPTIONS: nodeOptions } = process.env;

/** Starts everything in a temporary folder, runs `use`, and stops everything whatever happens. */
export async function withBenchEnvironment<T>(
  { nodes, keepsLimits = false }: { nodes: 1 | 2; keepsLimits?: boolean },
  use: (bench: BenchEnvironment) => Promise<T>,
): Promise<T> {
  const folder = await tempFolder();
  const undo: (() => Promise<unknown> | unknown)[] = [() => folder.drop()];
  try {
    const redis = nodes === 2 ? await startRedis() : null;
    if (redis) undo.unshift(() => redis.close());
    const shared = {
      ...(keepsLimits ? {} : liftedLimits),
      ...(nodeOptions ? { NODE_OPTIONS: nodeOptions } : {}),
      ...(redis ? { REDIS_URL: redis.url } : {}),
    };
    const dataDir = join(folder.path, "data");
    const first = await ServerProcess.start({ environment: { ...shared, DATA_DIR: dataDir } });
    undo.unshift(() => first.kill("SIGTERM"));
    const databaseUrl = (await readFile(join(dataDir, "postgres/connection"), "utf8")).trim();
    await grantToTests(databaseUrl, dataDir);
    const servers = [first];
    if (nodes === 2) {
      const environment = { ...shared, DATABASE_URL: databaseUrl };
      const second = await ServerProcess.start({ environment });
      undo.unshift(() => second.kill("SIGTERM"));
      servers.push(second);
    }
    const database = new pg.Client({ connectionString: databaseUrl });
    await database.connect();
    undo.unshift(() => database.end());
    const api = await signInApi(first.url, owner);
    const records = await makeRecords(api);
    await prepareFloor(database);
    const floor = await startFloor(databaseUrl);
    undo.unshift(() => floor.stop());
    const urls = servers.map(({ url }) => url);
    const postmaster = await readFile(join(dataDir, "postgres/data/postmaster.pid"), "utf8");
    const pids = {
      servers: servers.map(({ pid }) => pid),
      postgres: Number.parseInt(postmaster, 10),
    };
    return await use({ servers, pids, urls, records, api, floor, database, databaseUrl });
  } finally {
    for (const step of undo) await step();
  }
}

async function makeRecords(api: ApiSession): Promise<string[]> {
  const ids = Array.from({ length: RECORDS }, (_, index) => `bench-record-${index}`);
  const ops = ids.map((record) => ({
    op: "create" as const,
    table: "incidents",
    record,
    values: { title: `Bench ${record}` },
  }));
  await api.call("POST /mutations", { body: { id: "bench-records", ops } });
  return ids;
}

/** The floor's table: the same columns, indexes and rows as the product's, and no trigger. */
async function prepareFloor(database: pg.Client): Promise<void> {
  await database.query(`create schema bench;
    create table bench.incidents (like incidents including defaults including indexes including storage);
    insert into bench.incidents select * from incidents`);
}
