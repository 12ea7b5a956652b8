import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cleanUpAtExit, killNow } from "./clean-up.ts";
import { freePort } from "./free-port.ts";
import { findProgram, provideProgram } from "./programs.ts";
import { tempFolder } from "./temp-folder.ts";

/** A real Redis for tests, which may be stopped, killed, emptied and started again on the same port. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  /** Ends it by SIGTERM, or as if it crashed by SIGKILL. */
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
  /** Freezes it: connections stay open and nothing answers, until `resume`. */
  pause(): void;
  resume(): void;
  flush(): Promise<void>;
  /** Stops it for good and removes its folder. */
  close(): Promise<void>;
}

const pollMs = 20;
const attempts = 5_000;

/** Sends one inline command and returns the first line. Fails if Redis ends meanwhile. */
export async function redisCommand(port: number, line: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  // A Redis that is killed closes the connection, mostly without an error.
  const ended = once(socket, "close").then((): never => {
    throw new Error("Redis closed the connection.");
  });
  ended.catch(() => {});
  try {
    await once(socket, "connect");
    socket.write(`${line}\r\n`);
    const [data] = (await Promise.race([once(socket, "data"), ended])) as [Buffer];
    return data.toString().trim();
  } finally {
    socket.destroy();
  }
}

async function answers(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
    if ((await redisCommand(port, "PING").catch(() => "")) === "+PONG") return;
    await sleep(pollMs);
  }
  throw new Error("redis-server does not answer");
}

/** The path of redis-server. */
export function redisProgram(): Promise<string> {
  const find = () => findProgram(["redis-server", "valkey-server"]);
  return provideProgram(find, "redis-server", "Redis");
}

/** Starts a Redis of the test's own, without persistence, on a free port of the loopback interface. */
export async function startRedis(): Promise<TestRedis> {
  const program = await redisProgram();
  const folder = await tempFolder();
  const port = await freePort();
  const args = [
    "--port",
    port,
    "--bind",
    "127.0.0.1",
    "--dir",
    folder.path,
    "--save",
    "",
    "--appendonly",
    "no",
  ];
  const pidFile = ["--pidfile", join(folder.path, "redis.pid"), "--set-proc-title", "no"];
  let child: ChildProcess | undefined;
  const forget = cleanUpAtExit(() => killNow(child?.pid));

  const stop = async (signal: "SIGTERM" | "SIGKILL" = "SIGTERM") => {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, "exit");
    ending.kill("SIGCONT");
    ending.kill(signal);
    await ended;
  };
  const start = async () => {
    if (child) return;
    child = spawn(program, [...args, ...pidFile].map(String), { stdio: "ignore" });
    await answers(port, child);
  };
  const close = async () => {
    await stop("SIGKILL");
    forget();
    folder.drop();
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    start,
    stop,
    pause: () => child?.kill("SIGSTOP"),
    resume: () => child?.kill("SIGCONT"),
    flush: async () => void (await redisCommand(port, "FLUSHALL")),
    close,
  };
}
