// Covers: server/store/embedded server/commands
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { cleanUpAtExit } from "../provision/clean-up.ts";
import { embeddedAdminUrl } from "../provision/postgres.ts";
import { type TempFolder, tempFolder } from "../provision/temp-folder.ts";
import { SteadyEdits } from "./testing/steady-edits.ts";

/** The disk of the embedded Postgres is really full: a file system of its own, which only root may mount. */

/** A new database with the service desk takes about half of it. */
const DISK_MB = 200;
const RECORDS = ["seed-1", "seed-2"];
const CHUNK = Buffer.alloc(64 * 1024, "x");
const isRoot = process.getuid?.() === 0;

class SmallDisk implements Disposable {
  readonly path: string;
  readonly #folder: TempFolder;
  readonly #forget: () => void;

  private constructor(folder: TempFolder) {
    this.#folder = folder;
    this.path = folder.path;
    const { status, stderr } = spawnSync("mount", [
      ...["-t", "tmpfs", "-o", `size=${DISK_MB}m,mode=755`, "tmpfs", this.path],
    ]);
    if (status !== 0) throw new Error(`No file system could be mounted: ${stderr}`);
    this.#forget = cleanUpAtExit(() => this.#unmount());
  }

  static async mount(): Promise<SmallDisk> {
    return new SmallDisk(await tempFolder());
  }

  /** Takes all space that is left. */
  fill(): void {
    const file = openSync(join(this.path, "filler"), "a");
    try {
      for (;;) writeSync(file, CHUNK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    } finally {
      closeSync(file);
    }
  }

  get isFull(): boolean {
    return statfsSync(this.path).bavail === 0;
  }

  /** Somebody removes something large. */
  makeSpace(): void {
    rmSync(join(this.path, "filler"));
  }

  #unmount(): void {
    spawnSync("umount", ["-l", this.path]);
  }

  [Symbol.dispose](): void {
    this.#forget();
    this.#unmount();
    this.#folder.drop();
  }
}

async function steadyEdits(server: ServerProcess, me: TestUser): Promise<SteadyEdits> {
  const records = await Promise.all(
    RECORDS.map(async (id) => {
      const { values } = await me.record("incidents", id);
      return { id, title: values.title ?? null };
    }),
  );
  return new SteadyEdits({ url: server.url, token: me.token }, records);
}

/** Runs a statement as the superuser of the embedded Postgres. */
async function inPostgres(dataDir: string, statement: string): Promise<Record<string, unknown>[]> {
  const connection = readFileSync(join(dataDir, "postgres", "connection"), "utf8").trim();
  const client = new pg.Client({
    connectionString: await embeddedAdminUrl(connection, dataDir),
  });
  // A lost connection rejects the query, too.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The mutations that were acknowledged but are not in the log exactly once. */
async function notOnce(dataDir: string, ids: readonly string[]): Promise<string[]> {
  const rows = await inPostgres(
    dataDir,
    "select mutation, count(*)::int as count from watchfloor.change where mutation like 'steady%' group by 1",
  );
  const counts = new Map(rows.map(({ mutation, count }) => [mutation, count]));
  return ids.filter((id) => counts.get(id) !== 1);
}

/** Postgres needs a new file of its write-ahead log, gets none, and ends all its sessions. */
async function exhaustLog(dataDir: string): Promise<void> {
  const statement =
    "create table if not exists watchfloor.filled (); drop table watchfloor.filled; select pg_switch_wal()";
  await until("Postgres has ended its sessions", 60_000, () =>
    inPostgres(dataDir, statement).then(
      () => false,
      ({ code }: { code?: string }) => code !== "53100",
    ),
  );
}

const isReady = async ({ url }: ServerProcess) => (await fetch(`${url}/readyz`)).status === 200;

describe("a full disk of the embedded Postgres", () => {
  if (!isRoot)
    return it("not applicable here: only root may mount a file system of a few megabytes", () => {});

  it.each(["tables", "tables and the write-ahead log"])(
    "without space for %s loses no acknowledged edit, and edits go on by themselves when there is space again",
    { timeout: 300_000 },
    async (what) => {
      using disk = await SmallDisk.mount();
      const dataDir = join(disk.path, "data");
      await using server = await ServerProcess.start({ environment: { DATA_DIR: dataDir } });
      const writer = await steadyEdits(server, await signIn(server.url, owner));
      await writer.more(5);
      disk.fill();
      await until("an edit is answered `unavailable`", 120_000, async () => {
        // Throws if one was answered otherwise.
        await writer.more(0);
        return writer.statuses.has(503);
      });
      if (what !== "tables") await exhaustLog(dataDir);
      expect(disk.isFull).toBe(true);
      disk.makeSpace();
      await until("the server is ready", 120_000, () => isReady(server));
      await writer.more(5);
      writer.faultIsOver();
      await writer.more(5);
      await writer.stop();
      expect([...writer.statuses].sort()).toEqual([200, 503]);
      expect(await notOnce(dataDir, writer.acknowledged)).toEqual([]);
    },
  );
});
