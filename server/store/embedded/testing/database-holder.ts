import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { killNow } from "../../../../e2e/provision/clean-up.ts";

/**
 * Runs hold-database.ts as root or as an ordinary user, whichever of the two the test itself is; a user
 * namespace provides the other one.
 */
export type Who = "root" | "an ordinary user";

/** Runs the rest of a command line where it sees no other process, like another container on the same volume. */
const container = ["unshare", "--pid", "--fork", "--mount-proc", "--"];

/** A stand-in for a server that is running (or was refused), and the ways in which it may end. */
export interface Holder {
  readonly pid: number;
  readonly connection: string;
  readonly adopted: boolean;
  readonly refused: string | undefined;
  /** Stops it as Ctrl-C would, and waits. */
  stop(): Promise<void>;
  /** `kill -9`, of itself alone. */
  kill(): Promise<void>;
}

const program = fileURLToPath(new URL("hold-database.ts", import.meta.url));

function ordinaryId(): string {
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  const ids = lines.map((line) => line.split(":")[2] ?? "0");
  return ids.find((id) => Number(id) > 0) ?? "1";
}

/** The start of a command line that runs the rest of it as that user. */
export function become(who: Who): string[] {
  const isRoot = process.getuid?.() === 0;
  if (isRoot === (who === "root")) return [];
  if (!isRoot) return ["unshare", "--user", "--map-root-user", "--"];
  const id = ordinaryId();
  return ["unshare", "--user", `--map-user=${id}`, `--map-group=${id}`, "--"];
}

/** The processes that a process has started and that live; none if it has ended itself, which may happen at any time. */
export function childrenOf(pid = 0): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return text.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

async function firstLine(child: ChildProcess): Promise<Partial<Holder>> {
  let text = "";
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return JSON.parse(text) as Partial<Holder>;
}

/** Starts one and waits until it holds the database or was refused. */
export async function holdDatabase(
  who: Who | "a container",
  dataDir: string,
  ...more: string[]
): Promise<Holder> {
  const isContainer = who === "a container";
  const prefix = isContainer ? container : become(who);
  const command = [...prefix, process.execPath, program, dataDir, ...more];
  const [file = "", ...args] = command;
  const child = spawn(file, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
  });
  const ended = once(child, "exit");
  const said = await firstLine(child);
  const end = async (signal: NodeJS.Signals) => {
    if (!isContainer) child.kill(signal);
    // `unshare` waits for the one that it runs.
    else killNow(childrenOf(child.pid)[0], signal);
    await ended;
  };
  return {
    pid: child.pid ?? 0,
    connection: said.connection ?? "",
    adopted: said.adopted ?? false,
    refused: said.refused,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}
