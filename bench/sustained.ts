import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Json } from "../shared/filter/filter.ts";
import {
  type BenchEnvironment,
  makeRecords,
  withBenchEnvironment,
} from "./load/bench-environment.ts";
import { percentile } from "./load/percentile.ts";
import { ProductLine } from "./load/product-line.ts";
import type { Finding } from "./load/report.ts";
import { residentMiBOf } from "./load/resident-memory.ts";

/**
 * Whether the product keeps its pace: for ten minutes ten writers edit 1,000 records, each waiting for the answer before
 * the next, and twenty viewers follow. Each minute prints a line. At its end a floor of bare transactions runs for a
 * moment, so that a slower machine does not look like a slower product. At the end each viewer's copy must be the table.
 */
const MINUTES = 10;
const MINUTE_MS = 60_000;
const FLOOR_MS = 4_000;
const WRITERS = 10;
const VIEWERS = 20;
const RECORDS = 1_000;
const LOOK_MS = 500;
const STATEMENT_MOST_MS = 1_000;
/** What the machine alone makes minutes differ by; memory also by when garbage is collected. */
const STEADY = { least: 0.9 };
const FLAT = { most: 1.25 };

interface Minute {
  rate: number;
  floor: number;
  acknowledged: number[];
  seen: number[];
  memory: number;
  size: number;
  dead: number;
  postgres: PostgresWork;
}

/** What Postgres did in a minute besides. */
interface PostgresWork {
  longestMs: number;
  walMiB: number;
  checkpoints: number;
  /** Tables that were vacuumed, by how often that was found. */
  vacuumed: Map<string, number>;
}

export function sustained(): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1 }, async (environment) => {
    const { api, records: first } = environment;
    const more = await makeRecords(api, "sustained", RECORDS - first.length);
    const records = [...first, ...more];
    const load = await startLoad(environment, records);
    const minutes: Minute[] = [];
    for (let minute = 1; minute <= MINUTES; minute += 1) {
      const measured = await measureMinute(environment, load);
      minutes.push(measured);
      console.error(`  minute ${String(minute).padStart(2)}: ${describe(measured)}`);
    }
    await load.requireSame();
    return findingsOf(minutes);
  });
}

function findingsOf(minutes: readonly Minute[]): Finding[] {
  const [second, last] = [minutes[1], minutes.at(-1)] as [Minute, Minute];
  const names = ["minute 2", `minute ${minutes.length}`] as const;
  const relative = ({ rate, floor }: Minute) => (100 * rate) / floor;
  const [p99, memory] = [({ seen }: Minute) => percentile(seen, 0.99), (one: Minute) => one.memory];
  const compare = (of: (minute: Minute) => number) => ({ floor: of(second), product: of(last) });
  return [
    { what: "edits/s, in % of the floor", names, ...compare(relative), unit: "%", target: STEADY },
    { what: "edit → viewer, p99", names, ...compare(p99), unit: "ms", target: null },
    { what: "memory of the server", names, ...compare(memory), unit: "MiB", target: FLAT },
    {
      what: "longest statement of the server",
      names: ["bound", "longest"],
      floor: STATEMENT_MOST_MS,
      product: Math.max(...minutes.map(({ postgres }) => postgres.longestMs)),
      unit: "ms",
      target: { most: 1 },
    },
  ];
}

function describe({ rate, floor, acknowledged, seen, memory, size, dead, postgres }: Minute) {
  const { longestMs, walMiB, checkpoints, vacuumed } = postgres;
  const vacuums = [...vacuumed].map(([what, times]) => `${what} (${(times * LOOK_MS) / 1_000} s)`);
  const [answered, shown] = [acknowledged, seen].map((times) =>
    [0.5, 0.99].map((share) => percentile(times, share).toFixed(1)).join("/"),
  );
  return [
    `${rate.toFixed(0)} edits/s (floor ${floor.toFixed(0)})`,
    `answer ${answered} ms, viewer ${shown} ms (p50/p99)`,
    `memory ${memory.toFixed(0)} MiB`,
    `database ${size.toFixed(0)} MiB`,
    `longest statement ${longestMs.toFixed(0)} ms`,
    `${dead} dead rows`,
    `${walMiB.toFixed(0)} MiB of WAL, ${checkpoints} checkpoints`,
    ...(vacuums.length > 0 ? [vacuums.join(", ")] : []),
  ].join(" · ");
}

/** Ten writers and twenty viewers; `edit` makes one edit of a writer. */
async function startLoad({ urls, api, database }: BenchEnvironment, records: readonly string[]) {
  const [url = ""] = urls;
  const stored = await notesOf(database);
  const sent = new Map<string, number>();
  let seen: number[] = [];
  const copies: Map<string, Json>[] = [];
  for (let viewer = 0; viewer < VIEWERS; viewer += 1) {
    const copy = new Map<string, Json>(stored);
    copies.push(copy);
    const line = await ProductLine.open(url, api.token);
    line.socket.on("changes", ({ changes }) => {
      const now = performance.now();
      for (const { record, set, mutation } of changes) {
        if (set.notes !== undefined) copy.set(record, set.notes);
        const started = viewer === 0 && mutation !== undefined ? sent.get(mutation) : undefined;
        if (started !== undefined) seen.push(now - started);
      }
    });
    line.socket.on("resync", () => {
      throw new Error("A viewer has to read the table again.");
    });
    await line.subscribe({ table: "incidents" });
  }
  const writers = await Promise.all(
    Array.from({ length: WRITERS }, () => ProductLine.open(url, api.token)),
  );
  let serial = 0;
  return {
    writers: writers.map((line, writer) => {
      const own = records.filter((_, index) => index % WRITERS === writer);
      let next = 0;
      return async (): Promise<number> => {
        serial += 1;
        const id = `sustained ${process.pid} ${serial}`;
        const record = own[next % own.length] as string;
        next += 1;
        const started = performance.now();
        sent.set(id, started);
        const base = { notes: stored.get(record) ?? null };
        await line.mutate(id, [
          { op: "update", table: "incidents", record, set: { notes: id }, base },
        ]);
        stored.set(record, id);
        return performance.now() - started;
      };
    }),
    takeSeen(): number[] {
      const taken = seen;
      seen = [];
      sent.clear();
      return taken;
    },
    async requireSame(): Promise<void> {
      await sleep(MINUTE_MS / 60);
      const table = await notesOf(database);
      for (const copy of copies) {
        const differs = [...table].filter(([id, notes]) => copy.get(id) !== notes);
        if (differs.length)
          throw new Error(`A viewer's copy differs in ${differs.length} records.`);
      }
    },
  };
}

async function notesOf(database: pg.Client): Promise<Map<string, Json>> {
  const { rows } = await database.query<{ id: string; notes: string | null }>(
    "select id, notes from incidents",
  );
  return new Map(rows.map(({ id, notes }) => [id, notes]));
}

async function measureMinute(
  environment: BenchEnvironment,
  { writers, takeSeen }: Awaited<ReturnType<typeof startLoad>>,
): Promise<Minute> {
  const { database, pids } = environment;
  const acknowledged: number[] = [];
  const started = performance.now();
  let rate = 0;
  let isRunning = true;
  const write = async (edit: () => Promise<number>) => {
    while (performance.now() - started < MINUTE_MS - FLOOR_MS) acknowledged.push(await edit());
  };
  const load = Promise.all(writers.map(write)).finally(() => {
    rate = (acknowledged.length * 1_000) / (performance.now() - started);
    isRunning = false;
  });
  const [postgres] = await Promise.all([watchPostgres(database, () => isRunning), load]);
  const memory = residentMiBOf(pids.servers);
  const { rows } = await database.query<{ size: number; dead: number }>(
    `select pg_database_size(current_database()) / 1048576.0 as size,
      (select sum(n_dead_tup)::int from pg_stat_user_tables where schemaname in ('public', 'watchfloor')) as dead`,
  );
  const [{ size, dead } = { size: 0, dead: 0 }] = rows;
  const floor = await floorRate(environment);
  return {
    rate,
    floor,
    acknowledged,
    seen: takeSeen(),
    memory,
    size: Number(size),
    dead,
    postgres,
  };
}

/** Looks at what runs. The oldest statement is the server's, as the bench's own are not looked at. */
async function watchPostgres(database: pg.Client, goesOn: () => boolean): Promise<PostgresWork> {
  const work: PostgresWork = { longestMs: 0, walMiB: 0, checkpoints: 0, vacuumed: new Map() };
  const look = async () => {
    const { rows } = await database.query<{
      ms: number | null;
      vacuumed: string[] | null;
      checkpoint: string;
      wal: number;
    }>(
      `select max(extract(epoch from clock_timestamp() - query_start) * 1000)
          filter (where state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid())::float8 as ms,
        array_agg(query) filter (where backend_type = 'autovacuum worker') as vacuumed,
        (select checkpoint_lsn::text from pg_control_checkpoint()) as checkpoint,
        pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 / 1048576 as wal
      from pg_stat_activity`,
    );
    return rows[0] as NonNullable<(typeof rows)[0]>;
  };
  const first = await look();
  let checkpoint = first.checkpoint;
  while (goesOn()) {
    const { ms, vacuumed, ...now } = await look();
    work.longestMs = Math.max(work.longestMs, ms ?? 0);
    work.walMiB = now.wal - first.wal;
    if (now.checkpoint !== checkpoint) work.checkpoints += 1;
    checkpoint = now.checkpoint;
    for (const query of vacuumed ?? []) {
      const what = query.replace("autovacuum: ", "").replace("watchfloor.", "");
      work.vacuumed.set(what, (work.vacuumed.get(what) ?? 0) + 1);
    }
    await sleep(LOOK_MS);
  }
  return work;
}

async function floorRate({ databaseUrl, records }: BenchEnvironment): Promise<number> {
  const text = "update bench.incidents set notes = $2 where id = $1";
  const clients = records.slice(0, WRITERS).map(() => new pg.Client(databaseUrl));
  await Promise.all(clients.map((client) => client.connect()));
  const started = performance.now();
  let done = 0;
  await Promise.all(
    clients.map(async (client, index) => {
      while (performance.now() - started < FLOOR_MS) {
        await client.query({ name: "edit", text, values: [records[index], `floor ${done}`] });
        done += 1;
      }
    }),
  );
  const rate = (done * 1_000) / (performance.now() - started);
  await Promise.all(clients.map((client) => client.end()));
  return rate;
}
