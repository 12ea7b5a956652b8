import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { cleanUpAtExit, killNow } from "./clean-up.ts";
import { freePort } from "./free-port.ts";
import { findProgram } from "./programs.ts";
import { unprivileged } from "./system-postgres.ts";
import { tempFolder } from "./temp-folder.ts";

/** PgBouncer, where this machine has it; tests say that they are not applicable elsewhere. */
export const pgbouncerProgram = findProgram(["pgbouncer"]);

export interface PgBouncer extends AsyncDisposable {
  readonly port: number;
  /** The address of a database by way of the pooler. */
  through(address: string): string;
  /** Reads its settings again under open connections (RELOAD), with this mode. Resolves when it has. */
  reload(mode: PgBouncerOptions["mode"]): Promise<void>;
}

export interface PgBouncerOptions {
  mode: "session" | "transaction";
  /** Whether it accepts clients that name start-up options, and ignores these. */
  ignoresOptions?: boolean;
}

/** Starts one in front of the Postgres that an address over TCP leads to. */
export async function startPgBouncer(
  address: string,
  { mode, ignoresOptions = false }: PgBouncerOptions,
): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password } = new URL(address);
  const owner = unprivileged();
  const [folder, port] = [await tempFolder(owner), await freePort()];
  const users = join(folder.path, "users.txt");
  const file = join(folder.path, "pgbouncer.ini");
  await writeFile(users, `"${username}" "${password}"\n`);
  const settings = (chosen: PgBouncerOptions["mode"]) => [
    "[databases]",
    `* = host=${hostname} port=${serverPort}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = trust",
    `auth_file = ${users}`,
    `admin_users = ${username}`,
    `pool_mode = ${chosen}`,
    "default_pool_size = 90",
    "max_client_conn = 500",
    ...(ignoresOptions ? ["ignore_startup_parameters = options,extra_float_digits"] : []),
  ];
  const write = (chosen: PgBouncerOptions["mode"]) =>
    writeFile(file, `${settings(chosen).join("\n")}\n`);
  await write(mode);
  const child = spawn(pgbouncerProgram ?? "pgbouncer", ["-q", file], { ...owner, stdio: "ignore" });
  const forget = cleanUpAtExit(() => killNow(child.pid));
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
    await sleep(20);
  }
  return {
    port,
    through: (direct) => Object.assign(new URL(direct), { port: String(port) }).href,
    async reload(chosen) {
      await write(chosen);
      const admin = new pg.Client({
        host: "127.0.0.1",
        port,
        user: username,
        database: "pgbouncer",
      });
      await admin.connect();
      await admin.query("reload");
      await admin.end();
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      forget();
      folder.drop();
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return once(socket, "connect")
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}
