import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { owner, ServerProcess } from "../../e2e/harness/server-process.ts";
import { grantToTests, type PostgresKind } from "../../e2e/provision/postgres.ts";
import { startRedis } from "../../e2e/provision/redis.ts";
import { startSystemPostgres } from "../../e2e/provision/system-postgres.ts";
import { diskFolder } from "../../e2e/provision/temp-folder.ts";
import { type Floor, startFloor } from "../floor/start-floor.ts";
import { type ApiSession, signInApi } from "./api-session.ts";
import { slowFlush } from "./slow-flush.ts";

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
/** Lifts the limits of one user and address: those of a bench represent many. */
const liftedLimits = {
  SOCKET_MESSAGES_PER_SECOND: "100000",
  SOCKETS_PER_USER: "100000",
  PAIRING_CODES_PER_ADDRESS: "100000",
};
/** Options of Node for the servers, such as `--cpu-prof --cpu-prof-dir=/tmp/profile`. */
const { BENCH_SERVER_NODE_OPTIONS: nodeOptions } = process.env;

export interface BenchOptions {
  nodes: 1 | 2;
  keepsLimits?: boolean;
  /** The heap of each server; by default what Node takes. */
  heapMb?: number;
  /** The server's own, or the machine's (Debian 12: 15) with its usual settings. */
  postgres?: PostgresKind;
  /** How much longer each flush of the machine's Postgres takes. */
  flushDelayMs?: number;
}

/** Starts everything in a temporary folder, runs `use`, and stops everything whatever happens. */
export async function withBenchEnvironment<T>(
  { nodes, keepsLimits = false, postgres = "embedded", flushDelayMs, heapMb }: BenchOptions,
  use: (bench: BenchEnvironment) => Promise<T>,
): Promise<T> {
  const folder = await diskFolder();
  const undo: (() => Promise<unknown> | unknown)[] = [() => folder.drop()];
  try {
    const redis = nodes === 2 ? await startRedis() : null;
    if (redis) undo.unshift(() => redis.close());
    const shared = {
      ...(keepsLimits ? {} : liftedLimits),
      NODE_OPTIONS: [heapMb && `--max-old-space-size=${heapMb}`, nodeOptions]
        .filter(Boolean)
        .join(" "),
      ...(redis ? { REDIS_URL: redis.url } : {}),
    };
    const dataDir = join(folder.path, "data");
    const delayed = flushDelayMs ? await slowFlush(folder.path, flushDelayMs) : undefined;
    const system =
      postgres === "system" ? await startSystemPostgres({}, delayed, diskFolder) : null;
    if (system) undo.unshift(() => system.close());
    const store: Record<string, string> = system
      ? { DATABASE_URL: system.url }
      : { DATA_DIR: dataDir };
    const first = await ServerProcess.start({ environment: { ...shared, ...store } });
    undo.unshift(() => first.kill("SIGTERM"));
    const databaseUrl = system?.url ?? (await embeddedUrl(dataDir));
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
    const records = await makeRecords(api, "bench-record", RECORDS);
    await prepareFloor(database);
    const floor = await startFloor(databaseUrl);
    undo.unshift(() => floor.stop());
    const urls = servers.map(({ url }) => url);
    const postmaster = system
      ? await postmasterOf(database)
      : await readFile(join(dataDir, "postgres/data/postmaster.pid"), "utf8");
    const pids = {
      servers: servers.map(({ pid }) => pid),
      postgres: Number.parseInt(postmaster, 10),
    };
    return await use({ servers, pids, urls, records, api, floor, database, databaseUrl });
  } finally {
    for (const step of undo) await step();
  }
}

async function embeddedUrl(dataDir: string): Promise<string> {
  const url = (await readFile(join(dataDir, "postgres/connection"), "utf8")).trim();
  await grantToTests(url, dataDir);
  return url;
}

async function postmasterOf(database: pg.Client): Promise<string> {
  const { rows } = await database.query<{ file: string }>(
    "select pg_read_file('postmaster.pid') as file",
  );
  return rows[0]?.file ?? "";
}

/** Creates records `<name>-0`, `<name>-1`, … and returns their ids. */
export async function makeRecords(api: ApiSession, name: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `${name}-${index}`);
  const ops = ids.map((record) => ({
    op: "create" as const,
    table: "incidents",
    record,
    values: { title: `Bench ${record}` },
  }));
  await api.call("POST /mutations", { body: { id: `${name}-records`, ops } });
  return ids;
}

/** The floor's table: the same columns, indexes and rows as the product's, and no trigger. */
async function prepareFloor(database: pg.Client): Promise<void> {
  await database.query(`create schema bench;
    create table bench.incidents (like incidents including defaults including indexes including storage);
    insert into bench.incidents select * from incidents`);
}
