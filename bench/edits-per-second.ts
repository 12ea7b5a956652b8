import pg from "pg";
import type { Json } from "../shared/filter/filter.ts";
import {
  type BenchEnvironment,
  type BenchOptions,
  withBenchEnvironment,
} from "./load/bench-environment.ts";
import { cpuTimeOf } from "./load/cpu-time.ts";
import { fillTo } from "./load/fill-table.ts";
import { interleave } from "./load/interleave.ts";
import { median } from "./load/percentile.ts";
import { ProductLine } from "./load/product-line.ts";
import type { Finding } from "./load/report.ts";

/**
 * How many single-record edits are acknowledged per second. Floor: one bare transaction each, by ten
 * connections. Product: ten writers, and two hundred, each waiting for the answer before the next. Beside it a bare
 * server: Socket.IO, and for each message a bare transaction by one of ten connections. By itself on the server's own
 * Postgres and a small table.
 */
const FLOOR_CONNECTIONS = 10;
const ROUND_MS = 4_000;
const ROUNDS = 3;
const MANY_RECORDS = 1_000_000;
const FLUSH_DELAY_MS = 2;
const SNAPSHOT_AGE_MS = 60_000;
const SNAPSHOT_LEAST = 0.9;

export const editsPerSecond = () => measure({ postgres: "embedded" });

/** Run only where they are named: the machine's Postgres, a slower disk, and a table of many records. */
export const editsPerSecondBenches = {
  "edits-per-second:postgres": () => measure({ postgres: "system" }),
  "edits-per-second:slow-flush": () =>
    measure({ postgres: "system", flushDelayMs: FLUSH_DELAY_MS }),
  "edits-per-second:large": () => measure({ postgres: "embedded" }, MANY_RECORDS),
  "edits-per-second:postgres-large": () => measure({ postgres: "system" }, MANY_RECORDS),
  "edits-per-second:old-snapshot": measureOldSnapshot,
};

function measure(
  options: Pick<BenchOptions, "postgres" | "flushDelayMs">,
  size = 0,
): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1, ...options }, async (environment) => {
    if (size > 0) await fillBoth(environment, size);
    const floor = floorRound(environment);
    const notes = new Map<string, Json>();
    const findings: Finding[] = [];
    for (const writers of [10, 200]) {
      const product = await productRound(environment, notes, writers);
      const bare = await bareServerRound(environment, writers);
      const { a, b } = await interleave(ROUNDS, floor, async () => ({
        product: await product(),
        bare: await bare(),
      }));
      const of = (rounds: Round[], key: keyof Round) => median(rounds.map((one) => one[key]));
      const [products, bares] = [b.map((one) => one.product), b.map((one) => one.bare)];
      const rate = { product: of(products, "rate"), unit: "/s" };
      const cpu = { product: of(products, "cpuMs"), unit: "ms", target: null };
      const names = ["bare server", "product"] as const;
      findings.push(
        {
          what: `edits acknowledged, ${writers} writers`,
          ...{ ...rate, floor: of(a, "rate"), target: { least: 1, notYet: true } },
        },
        { what: "  CPU of server and Postgres for an edit", ...cpu, floor: of(a, "cpuMs") },
        { what: "  the same", ...rate, names, floor: of(bares, "rate"), target: null },
        { what: "  CPU", ...cpu, names, floor: of(bares, "cpuMs") },
      );
    }
    return findings;
  });
}

/** Ten writers before and after another program has held a snapshot for a minute, while floor and product went on in turn. */
function measureOldSnapshot(): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1 }, async (environment) => {
    const floor = floorRound(environment);
    const product = await productRound(environment, new Map(), 10);
    const rates = async () => {
      const { a, b } = await interleave(ROUNDS, floor, product);
      const of = (rounds: Round[]) => median(rounds.map(({ rate }) => rate));
      return { floor: of(a), product: of(b) };
    };
    const before = await rates();
    const { database } = environment;
    await database.query("begin isolation level repeatable read");
    await database.query("select from incidents limit 1");
    const until = performance.now() + SNAPSHOT_AGE_MS;
    while (performance.now() < until) await interleave(1, floor, product);
    const after = await rates();
    await database.query("rollback");
    return [
      {
        what: "rate left of 10 writers, old snapshot",
        floor: (100 * after.floor) / before.floor,
        product: (100 * after.product) / before.product,
        unit: "%",
        target: { least: SNAPSHOT_LEAST, notYet: true },
      },
    ];
  });
}

async function fillBoth({ database }: BenchEnvironment, size: number): Promise<void> {
  await fillTo(database, size);
  await database.query(
    "insert into bench.incidents select * from incidents on conflict do nothing",
  );
  await database.query("vacuum analyze bench.incidents");
}

interface Round {
  /** Edits per second. */
  rate: number;
  /** For each of them; NaN if the machine does not report it. */
  cpuMs: number;
}

/** Each worker repeats for a while, one edit per turn. */
async function closedLoop(
  pids: readonly number[],
  workers: readonly (() => Promise<unknown>)[],
): Promise<Round> {
  const cpuBefore = cpuTimeOf(pids);
  const started = performance.now();
  let done = 0;
  await Promise.all(
    workers.map(async (work) => {
      while (performance.now() - started < ROUND_MS) {
        await work();
        done += 1;
      }
    }),
  );
  const rate = (done * 1_000) / (performance.now() - started);
  const cpu = (cpuTimeOf(pids) ?? Number.NaN) - (cpuBefore ?? Number.NaN);
  return { rate, cpuMs: cpu / done };
}

let serial = 0;
const nextValue = () => {
  serial += 1;
  return `edit ${serial}`;
};

function floorRound({ databaseUrl, records, pids }: BenchEnvironment) {
  return async () => {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: FLOOR_CONNECTIONS });
    const text = "update bench.incidents set notes = $2 where id = $1";
    const ids = records.slice(0, FLOOR_CONNECTIONS);
    const clients = await Promise.all(ids.map(() => pool.connect()));
    const round = await closedLoop(
      [pids.postgres],
      clients.map(
        (client, i) => () => client.query({ name: "edit", text, values: [ids[i], nextValue()] }),
      ),
    );
    for (const client of clients) client.release();
    await pool.end();
    return round;
  };
}

/** As the product without anything that it promises: no log, no order, no rights, no stored answers. */
async function bareServerRound(
  { floor, records, pids }: BenchEnvironment,
  writers: number,
): Promise<() => Promise<Round>> {
  const ids = records.slice(0, writers);
  const sockets = await Promise.all(ids.map(() => floor.connect()));
  const workers = sockets.map(
    (socket, index) => () => socket.emitWithAck("commit", { id: ids[index], value: nextValue() }),
  );
  return () => closedLoop([pids.postgres, floor.pid], workers);
}

/** `notes` holds the stored value of each record, from one number of writers to the next. */
async function productRound(
  { urls, api, records, pids }: BenchEnvironment,
  notes: Map<string, Json>,
  writers: number,
) {
  const [url = ""] = urls;
  const lines: ProductLine[] = [];
  for (let i = 0; i < writers; i += 1) lines.push(await ProductLine.open(url, api.token));
  const workers = lines.map((line, index) => {
    const record = records[index] as string;
    return async () => {
      const value = nextValue();
      const base = { notes: notes.get(record) ?? null };
      await line.mutate(`${process.pid}-${value}`, [
        { op: "update", table: "incidents", record, set: { notes: value }, base },
      ]);
      notes.set(record, value);
    };
  });
  return () => closedLoop([pids.postgres, ...pids.servers], workers);
}
