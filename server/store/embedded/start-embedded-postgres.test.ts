import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { chmod, mkdir, open, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { someCases } from "../../../e2e/provision/proof-size.ts";
import { ownCluster } from "./own-cluster.ts";
import { DataFolderInUse, isAlive } from "./postmaster.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./start-embedded-postgres.ts";
import { embeddedEnvironment, query, self } from "./testing/embedded-environment.ts";

const environment = embeddedEnvironment();
const { haveData, hold, publishedUrl } = environment;

const postmasterFile = () => join(environment.dataDir, "postgres", "data", "postmaster.pid");
const postmasterPid = () => Number.parseInt(readFileSync(postmasterFile(), "utf8"), 10);

/** The processes that would stop the Postgres of this test. */
function watchers(): string[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => {
    const file = `/proc/${pid}/cmdline`;
    const content = existsSync(file) ? readFileSync(file, "utf8") : "";
    return content.includes("stop-when-orphaned") && content.includes(environment.dataDir);
  });
}

/** Returns as soon as the database answers. */
async function eventually(text: string): Promise<Record<string, unknown>[]> {
  for (;;) {
    try {
      return await query(await publishedUrl(), text);
    } catch {
      await sleep(20);
    }
  }
}

describe.each(someCases(["root", "an ordinary user"] as const))(
  "the embedded Postgres, run by %s",
  (caller) => {
    it("creates its data, stops, and has everything when it starts again", async () => {
      const first = await hold(caller);
      await query(first.connection, "CREATE TABLE note AS SELECT 'stored' AS text");
      await first.stop();
      const second = await hold(caller);
      expect(second.adopted).toBe(false);
      expect(await query(second.connection, "SELECT text FROM note")).toEqual([{ text: "stored" }]);
    });

    it("is adopted by the next server when its own was killed", async () => {
      await haveData();
      const first = await hold(caller);
      const pid = postmasterPid();
      await first.kill();
      const second = await hold(caller);
      expect(second).toMatchObject({ adopted: true, connection: first.connection });
      expect(postmasterPid()).toBe(pid);
      await second.stop();
      expect(await isAlive(pid)).toBe(false);
    });

    it("is stopped cleanly when its server was killed and none comes back", async () => {
      await haveData();
      const first = await hold(caller, "grace=200");
      await query(first.connection, "CREATE TABLE note AS SELECT 'stored' AS text");
      const pid = postmasterPid();
      await first.kill();
      await expect.poll(() => isAlive(pid)).toBe(false);
      await expect
        .poll(() => existsSync(join(environment.dataDir, "postgres", "connection")))
        .toBe(false);
      const second = await hold(caller);
      expect(await query(second.connection, "SELECT text FROM note")).toEqual([{ text: "stored" }]);
      const log = await readFile(join(environment.dataDir, "postgres", "postgres.log"), "utf8");
      expect(log).not.toContain("not properly shut down");
    });

    it("continues under the next server, and is stopped when that one was killed too", async () => {
      await haveData();
      const first = await hold(caller, "grace=1000");
      const pid = postmasterPid();
      // However long the next server takes to start on a busy machine, it is in time.
      const watching = watchers().map(Number);
      for (const watcher of watching) process.kill(watcher, "SIGSTOP");
      await first.kill();
      const second = await hold(caller, "grace=1000");
      for (const watcher of watching) process.kill(watcher, "SIGCONT");
      expect(second.adopted).toBe(true);
      // the watcher of the first server has ended, that of the second waits
      await expect.poll(watchers).toHaveLength(1);
      expect(await query(second.connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
      expect(postmasterPid()).toBe(pid);
      await second.kill();
      await expect.poll(() => isAlive(pid)).toBe(false);
      await expect.poll(watchers).toHaveLength(0);
    });

    it("recovers when everything was killed and its process id belongs to another program", async () => {
      await haveData();
      const first = await hold(caller);
      await query(first.connection, "CREATE TABLE note AS SELECT 'stored' AS text");
      process.kill(postmasterPid(), "SIGKILL");
      await first.kill();
      const other = spawn("sleep", ["60"]);
      const lines = readFileSync(postmasterFile(), "utf8").split("\n");
      await writeFile(postmasterFile(), [other.pid, ...lines.slice(1)].join("\n"));
      const lock = join(environment.dataDir, "postgres", "socket", ".s.PGSQL.5432.lock");
      await writeFile(lock, [other.pid, ...lines.slice(1)].join("\n"));
      const second = await hold(caller);
      other.kill();
      expect(await query(second.connection, "SELECT text FROM note")).toEqual([{ text: "stored" }]);
    });

    it("works below a folder that only its owner may enter, and under a path too long for a socket", async () => {
      const closed = join(environment.folder.path, "closed");
      await mkdir(closed, { mode: 0o700 });
      environment.dataDir = join(closed, "long-".repeat(30), "data");
      await hold(caller);
      const url = await publishedUrl();
      const socketFolder = new URL(url).searchParams.get("host") ?? "";
      expect(Buffer.byteLength(socketFolder)).toBeLessThan(80);
      expect(statSync(socketFolder).mode & 0o777).toBe(0o700);
      expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    });
  },
);

describe("the embedded Postgres, whoever runs it", () => {
  it("accepts other programs by a file that only its owner reads, and nobody without a password", async () => {
    await haveData();
    await hold(self);
    const url = await publishedUrl();
    const rows = await query(
      url,
      `SELECT upper('ä') AS upper, current_setting('fsync') AS fsync,
       current_setting('TimeZone') AS zone, current_setting('server_encoding') AS encoding`,
    );
    expect(rows).toEqual([{ upper: "Ä", fsync: "on", zone: "UTC", encoding: "UTF8" }]);
    expect(statSync(join(environment.dataDir, "postgres", "connection")).mode & 0o777).toBe(0o600);
    expect(statSync(join(environment.dataDir, "postgres")).mode & 0o777).toBe(0o700);
    const outsider = new URL(url);
    outsider.password = "guess";
    await expect(query(outsider.href, "SELECT 1")).rejects.toThrow("password authentication");
  });

  it("refuses a second server on the same data with one clear sentence", async () => {
    await haveData();
    const first = await hold(self);
    const second = await hold(self);
    expect(second.refused).toMatch(
      /^Another Watchfloor server \(process \d+\) is already running on /,
    );
    expect(second.refused).toContain(String(first.pid));
    expect(await query(first.connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("lets exactly one of three simultaneous first starts win, and says so to the others", async () => {
    const all = await Promise.all([hold(self), hold(self), hold(self)]);
    const reasons = all.flatMap(({ refused }) => refused ?? []);
    const sentence = expect.stringMatching(/^Another Watchfloor server .*is already running on /);
    expect(reasons).toEqual([sentence, sentence]);
    expect(await query(await publishedUrl(), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("refuses by the same sentence whoever creates the database at the same moment", async () => {
    await haveData();
    await hold(self);
    const url = new URL(await publishedUrl());
    const password = join(environment.dataDir, "postgres", "data", "watchfloor-password");
    Object.assign(url, { username: "watchfloor", password: readFileSync(password, "utf8").trim() });
    url.pathname = "/created_at_once";
    const log = { info: () => {}, warn: () => {} };
    const own = () => ownCluster(url.href, environment.dataDir, { log, beside: true });
    const all = await Promise.allSettled([own(), own(), own(), own()]);
    const refused = all.flatMap((one) => (one.status === "rejected" ? one.reason : []));
    for (const one of all) if (one.status === "fulfilled") await one.value.end();
    expect(refused).toEqual(Array(3).fill(expect.any(DataFolderInUse)));
  });

  it("is restarted under a running server when Postgres itself was killed", async () => {
    await haveData();
    const { connection } = await hold(self);
    const pid = postmasterPid();
    process.kill(pid, "SIGKILL");
    expect(await eventually("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(postmasterPid()).not.toBe(pid);
    expect(await publishedUrl()).toBe(connection);
  });

  describe("under a server that fails to restart it", () => {
    const lost: Error[] = [];
    const said: string[] = [];
    let postgres: EmbeddedPostgres;

    beforeEach(async () => {
      await haveData();
      lost.splice(0);
      said.splice(0);
      const note = (text: string) => void said.push(text);
      const log = { info: note, warn: note };
      postgres = await startEmbeddedPostgres({
        dataDir: environment.dataDir,
        log,
        onLost: (why) => lost.push(why),
      });
    });
    afterEach(() => postgres.stop());

    async function isUp(): Promise<boolean> {
      const rows = await query(postgres.connection, "SELECT 1 AS one").catch(() => []);
      return rows.length === 1;
    }

    it("does not mistake itself for another server that holds the data", async () => {
      const published = join(environment.dataDir, "postgres", "connection");
      await rm(published);
      await mkdir(join(published, "in the way"), { recursive: true });
      process.kill(postmasterPid(), "SIGKILL");
      const failed = () => said.filter((text) => text.includes("not back yet")).length;
      await expect.poll(() => failed() > 2 || lost.length > 0).toBe(true);
      expect(lost).toEqual([]);
      await rm(published, { recursive: true });
      await expect.poll(() => said.at(-1)).toBe("The embedded database is back.");
      expect(await isUp()).toBe(true);
    });

    it("detects that it went away again before it was back", async () => {
      const temporaryPath = join(environment.dataDir, "postgres", `connection.${process.pid}`);
      execFileSync("mkfifo", [temporaryPath]);
      process.kill(postmasterPid(), "SIGKILL");
      await expect.poll(isUp).toBe(false);
      // it owns the data again, and waits for its output to be read
      const owners = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted";
      const owned = () => query(postgres.connection, owners).catch(() => []);
      await expect.poll(owned).toHaveLength(1);
      process.kill(postmasterPid(), "SIGKILL");
      await expect.poll(isUp).toBe(false);
      const reading = await open(temporaryPath, "r");
      await expect.poll(isUp).toBe(true);
      await reading.close();
      expect(lost).toEqual([]);
    });
  });
});

describe("where user namespaces are refused", () => {
  if (process.getuid?.() !== 0) {
    return it("not applicable here: without root there is no other account to change to", () => {});
  }
  it("root changes to another account, below a folder that only root may enter, too", async () => {
    await chmod(environment.folder.path, 0o700);
    const first = await hold("root", "namespace");
    expect(first.refused).toBeUndefined();
    await query(first.connection, "CREATE TABLE note AS SELECT 'stored' AS text");
    const home = join(environment.dataDir, "postgres");
    expect(await realpath(home)).toBe(join(await realpath(environment.dataDir), "postgres"));
    expect(statSync(join(home, "data")).uid).not.toBe(0);
    await first.kill();
    const second = await hold("root", "namespace");
    expect(second.adopted).toBe(true);
    await second.stop();
    const third = await hold("root", "namespace");
    expect(await query(third.connection, "SELECT text FROM note")).toEqual([{ text: "stored" }]);
  });
});
