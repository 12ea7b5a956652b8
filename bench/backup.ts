import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { systemPostgresPrograms } from "../e2e/provision/system-postgres.ts";
import { diskFolder, type TempFolder } from "../e2e/provision/temp-folder.ts";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import { fillTo } from "./load/fill-table.ts";
import { interleave } from "./load/interleave.ts";
import { median } from "./load/percentile.ts";
import type { Finding } from "./load/report.ts";

/**
 * A backup of the whole installation, and its restore into an empty database of the same Postgres. Floors: `pg_dump` of the
 * same database, compressed as much, and `pg_restore`. Then the memory of the command for ten times as many records.
 */
const ROUNDS = 3;
const FEW_RECORDS = 30_000;
const MANY_RECORDS = 300_000;
const SAMPLE_MS = 20;
const mainFile = fileURLToPath(new URL("../server/main.ts", import.meta.url));

export async function backup(): Promise<Finding[]> {
  const folder = await diskFolder();
  try {
    return await withBenchEnvironment({ nodes: 1, postgres: "system" }, (bench) =>
      measure(bench, folder),
    );
  } finally {
    folder.drop();
  }
}

async function measure(bench: BenchEnvironment, folder: TempFolder): Promise<Finding[]> {
  const { database, databaseUrl } = bench;
  const programs = await systemPostgresPrograms();
  const [file, dump] = [`${folder.path}/product.backup`, `${folder.path}/floor.dump`];
  const write = () => runMeasured([process.execPath, mainFile, "backup", file], databaseUrl);
  await fill(bench, FEW_RECORDS);
  const few = await write();
  await fill(bench, MANY_RECORDS);

  const written = await interleave(
    ROUNDS,
    async () =>
      (await runMeasured([`${programs}/pg_dump`, "-Fc", "-f", dump, databaseUrl])).seconds,
    write,
  );
  const restored = await interleave(
    ROUNDS,
    () =>
      onEmptyDatabase(
        bench,
        async (url) =>
          // The dump names the roles of the bench's Postgres, which has no others.
          (await runMeasured([`${programs}/pg_restore`, "-d", url, dump])).seconds,
      ),
    () =>
      onEmptyDatabase(bench, (url) =>
        runMeasured([process.execPath, mainFile, "restore", file], url),
      ),
  );
  const { rows } = await database.query("select count(*)::int as count from watchfloor.change");
  const what = `${MANY_RECORDS} records, ${rows[0].count} changes`;
  const memory = (step: string, one: Run, other: Run): Finding => ({
    ...{ what: `memory of a ${step}`, names: [`${FEW_RECORDS} records`, `${MANY_RECORDS}`] },
    ...{ floor: one.megabytes, product: other.megabytes, unit: "MB", target: { most: 1.5 } },
  });
  const last = (runs: readonly Run[]) => runs.at(-1) as Run;
  const seconds = (runs: readonly Run[]) => median(runs.map((one) => one.seconds));
  const megabytes = (path: string) => statSync(path).size / 1e6;
  return [
    {
      ...{ what: `${what} → file, to pg_dump`, unit: "s", target: { most: 2 } },
      ...{ floor: median(written.a), product: seconds(written.b) },
    },
    {
      ...{ what: `${what} ← file, to pg_restore`, unit: "s", target: { most: 2 } },
      ...{ floor: median(restored.a), product: seconds(restored.b) },
    },
    {
      ...{ what: "size of the file, to pg_dump", unit: "MB", target: { most: 1.5 } },
      ...{ floor: megabytes(dump), product: megabytes(file) },
    },
    memory("backup", few, last(written.b)),
    {
      ...{ what: "memory of a restore of all", names: ["bound", "product"], unit: "MB" },
      ...{ floor: 300, product: last(restored.b).megabytes, target: { most: 1 } },
    },
  ];
}

/** Records without, then a tenth of them with an entry in the change log. */
async function fill({ database }: BenchEnvironment, size: number): Promise<void> {
  await fillTo(database, size);
  await database.query(
    "update incidents set location = 'moved' where id in (select id from incidents limit $1)",
    [size / 10],
  );
}

async function onEmptyDatabase<T>(
  { database, databaseUrl }: BenchEnvironment,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const url = new URL(databaseUrl);
  url.pathname = "/bench_restored";
  await database.query("create database bench_restored");
  try {
    return await use(url.href);
  } finally {
    await database.query("drop database bench_restored with (force)");
  }
}

interface Run {
  seconds: number;
  /** The most that the process had in memory; 0 where the system does not say it. */
  megabytes: number;
}

async function runMeasured([file = "", ...args]: string[], databaseUrl = ""): Promise<Run> {
  const started = performance.now();
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, DATABASE_URL: databaseUrl };
  const child = spawn(file, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.on("data", (text) => {
    output += String(text);
  });
  let megabytes = 0;
  const sampling = setInterval(() => {
    megabytes = Math.max(megabytes, peakMegabytes(child.pid ?? 0));
  }, SAMPLE_MS);
  const [code] = await once(child, "close");
  clearInterval(sampling);
  if (code !== 0) throw new Error(`${file} ${args[0]} ended with ${code}: ${output}`);
  return { seconds: (performance.now() - started) / 1_000, megabytes };
}

function peakMegabytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_000;
  } catch {
    return 0;
  }
}
