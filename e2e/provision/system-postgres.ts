import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { chown, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { cleanUpAtExit, killNow } from "./clean-up.ts";
import { freePort } from "./free-port.ts";
import { findProgram, provideProgram } from "./programs.ts";
import { tempFolder } from "./temp-folder.ts";
import type { TestPostgres } from "./test-postgres.ts";

/**
 * The machine's own Postgres, in a folder of the test's. Debian keeps its programs off the PATH. Postgres refuses
 * root, so root starts it as the user `postgres`, which the package brings.
 */
const run = promisify(execFile);
const pollMs = 20;
const attempts = 5_000;
const password = "watchfloor";

function debianFolders(): string[] {
  const root = "/usr/lib/postgresql";
  try {
    const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => `${root}/${version}/bin`);
  } catch {
    return [];
  }
}

/** The folder of the system's Postgres programs. */
export async function systemPostgresPrograms(): Promise<string> {
  const find = () => findProgram(["initdb"], debianFolders());
  return dirname(await provideProgram(find, "postgresql", "Postgres (initdb and postgres)"));
}

/** The account under which servers of tests run if the tests run as root, which these servers refuse. */
export function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  const line =
    lines.find((l) => l.startsWith("postgres:")) ?? lines.find((l) => l.startsWith("nobody:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

async function whenReady(data: string): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      if (readFileSync(`${data}/postmaster.pid`, "utf8").includes("\nready")) return;
    } catch {
      // Not written yet.
    }
    await sleep(pollMs);
  }
  throw new Error("the system's Postgres does not get ready");
}

async function initialise(
  bin: string,
  folder: string,
  owner: { uid: number; gid: number } | undefined,
) {
  const passwordFile = `${folder}/password`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (owner) await chown(passwordFile, owner.uid, owner.gid);
  const args = ["-D", `${folder}/data`, "-U", "postgres", "--encoding=UTF8", "--locale=C.UTF-8"];
  const auth = ["--auth-local=trust", "--auth-host=scram-sha-256", `--pwfile=${passwordFile}`];
  await run(`${bin}/initdb`, [...args, ...auth], { ...owner, cwd: folder });
}

/** Starts it; `settings` are Postgres settings, `environment` is added to that of this process. */
export async function startSystemPostgres(
  settings: Record<string, string>,
  environment: Record<string, string> = {},
  makeFolder = tempFolder,
): Promise<TestPostgres> {
  const bin = await systemPostgresPrograms();
  const owner = unprivileged();
  const folder = await makeFolder(owner);
  await initialise(bin, folder.path, owner);
  const all = { ...settings, timezone: "UTC" };
  const running = await runPostgres(bin, folder.path, "data", all, environment);
  const close = async () => {
    await running.end("SIGINT");
    folder.drop();
  };
  return { url: running.url, adminUrl: running.url, tcpUrl: running.tcpUrl, close };
}

/** A Postgres that runs on one of the data folders in `folder`. */
interface RunningPostgres {
  readonly port: number;
  readonly url: string;
  readonly tcpUrl: string;
  /** Ends it by a signal, and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

async function runPostgres(
  bin: string,
  folder: string,
  dataName: string,
  settings: Record<string, string>,
  environment: Record<string, string> = {},
): Promise<RunningPostgres> {
  const port = await freePort();
  const all = {
    ...settings,
    unix_socket_directories: folder,
    listen_addresses: "127.0.0.1",
    port,
  };
  const args = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(`${bin}/postgres`, ["-D", `${folder}/${dataName}`, ...args], {
    ...unprivileged(),
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: "ignore",
  });
  const forget = cleanUpAtExit(() => killNow(child.pid));
  await whenReady(`${folder}/${dataName}`);
  return {
    port,
    url: `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(folder)}&port=${port}`,
    tcpUrl: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
      forget();
    },
  };
}

/** Two Postgres servers: a primary, and a standby that has stored a commit before the primary acknowledges it. */
export interface PrimaryAndStandby extends AsyncDisposable {
  readonly primary: RunningPostgres;
  readonly standby: RunningPostgres;
}

/** Makes a primary, then a standby as a copy of it that follows it. */
export async function startPrimaryAndStandby(): Promise<PrimaryAndStandby> {
  const bin = await systemPostgresPrograms();
  const owner = unprivileged();
  const folder = await tempFolder(owner);
  await initialise(bin, folder.path, owner);
  const settings = { timezone: "UTC", fsync: "off", max_connections: "100" };
  const synchronous = { synchronous_standby_names: "*" };
  const primary = await runPostgres(bin, folder.path, "data", { ...settings, ...synchronous });
  const from = ["-h", folder.path, "-p", String(primary.port), "-U", "postgres"];
  const into = ["-D", `${folder.path}/standby`, "-R", "-c", "fast", "-X", "stream"];
  await run(`${bin}/pg_basebackup`, [...from, ...into], { ...owner, cwd: folder.path });
  const standby = await runPostgres(bin, folder.path, "standby", settings);
  return {
    primary,
    standby,
    async [Symbol.asyncDispose]() {
      await Promise.all([primary.end("SIGINT"), standby.end("SIGINT")]);
      folder.drop();
    },
  };
}
