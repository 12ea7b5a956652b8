import { link, open, readFile, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { isSocketPath } from "./cluster-folders.ts";
import { runProgram } from "./run-program.ts";

/**
 * Reads Postgres' own lock file, `postmaster.pid`, and distinguishes a running server from the remains of a
 * dead one.
 * Postgres itself takes a file whose process id exists for a running server, also when after a crash that id
 * belongs to an unrelated program. Here the process must also *be* the server of this folder.
 */
export interface PostmasterFile {
  readonly pid: number;
  /** The data folder, as that Postgres names it. */
  readonly dataFolder: string;
  readonly port: number;
  readonly socketFolder: string;
  readonly status: string;
}

const fileName = "postmaster.pid";

function parse(text: string): PostmasterFile | undefined {
  const [pid, dataFolder = "", , port, socketFolder, , , status] = text.split("\n");
  if (!pid || !Number(pid)) return undefined;
  return {
    pid: Math.abs(Number(pid)),
    dataFolder,
    port: Number(port ?? 0),
    socketFolder: socketFolder ?? "",
    status: (status ?? "").trim(),
  };
}

/** The contents of the lock file; null if there is none. */
export async function readPostmasterFile(data: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(data, fileName), "utf8").catch(() => "");
  return parse(text);
}

/** How long ago the lock file was last written, in milliseconds; infinity if there is none. */
export async function ageOfPostmasterFile(data: string): Promise<number> {
  const found = await stat(join(data, fileName)).catch(() => null);
  return found ? Date.now() - found.mtimeMs : Number.POSITIVE_INFINITY;
}

/** Whether a process exists (a dead one that is not yet reaped does not count). */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3) !== "Z";
}

/**
 * Whether the process is the Postgres of this folder: Postgres works inside its data folder, and names it on
 * its command line. If the system hides both, a running process with that number is assumed to be it.
 */
export async function isPostmasterOf(pid: number, data: string): Promise<boolean> {
  if (!(await isAlive(pid))) return false;
  if (process.platform === "linux")
    return isLinuxPostmasterOf(pid, await realpath(data).catch(() => data));
  if (process.platform === "win32") return true;
  const { output } = await runProgram(["ps", "-o", "comm=", "-p", String(pid)]);
  return output.includes("postgres");
}

async function isLinuxPostmasterOf(pid: number, data: string): Promise<boolean> {
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  if (folder !== undefined) return folder === data;
  const args = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => undefined);
  return args === undefined || args.split("\0").includes(data);
}

/** Whether two paths lead to one folder. */
export async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => stat(path).catch(() => null)));
  return a?.dev === b?.dev && a?.ino === b?.ino;
}

/** Whether a server listens on a port's socket in a folder, also one whose processes can't be seen from here. */
export async function isListening(folder: string, port: number): Promise<boolean> {
  const name = `.s.PGSQL.${port}`;
  if (isSocketPath(join(folder, name))) return accepts(join(folder, name));
  // A longer path has no socket address. Linux leads to an open folder by a short one.
  const opened = await open(folder).catch(() => null);
  if (!opened) return false;
  await using _ = opened;
  return await accepts(`/proc/self/fd/${opened.fd}/${name}`);
}

function accepts(path: string): Promise<boolean> {
  const socket = connect(path);
  return new Promise((resolve) => {
    const end = (listens: boolean) => () => {
      socket.destroy();
      resolve(listens);
    };
    socket.once("connect", end(true)).once("error", end(false));
  });
}

/**
 * Removes the lock file of a dead server whose process id belongs to another program. It is moved aside and
 * checked again first: if a server started meanwhile, its file is put back.
 */
export async function removeStaleFile(data: string, checked: PostmasterFile): Promise<void> {
  const path = join(data, fileName);
  const stalePath = `${path}.stale-${process.pid}`;
  await rename(path, stalePath).catch(() => {});
  const taken = parse(await readFile(stalePath, "utf8").catch(() => ""));
  if (taken && taken.pid !== checked.pid) await link(stalePath, path).catch(() => {});
  await rm(stalePath, { force: true });
}
