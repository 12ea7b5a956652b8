import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { cleanUpAtExit, killNow } from "../provision/clean-up.ts";
import { freePort } from "../provision/free-port.ts";
import { serverProgram } from "./server-program.ts";

/** The owner that every server of these tests has. */
export const owner = { email: "owner@example.com", password: "correct horse battery" };

/** Behaviour, not speed: a server that shares its cores with thirty other programs takes minutes. */
const READY_WITHIN_MS = 300_000;
const POLL_INTERVAL_MS = 50;

export interface ServerOptions {
  /** Without a database URL the server brings its own Postgres in `DATA_DIR`. */
  environment: Record<string, string>;
  port?: number;
  /** Hashes passwords at the cost of production, for tests of how long that takes. */
  productionPasswords?: boolean;
}

/**
 * The real server in a process of its own, as `npm start` runs it: to be killed, stopped and started
 * again on the same port and data.
 */
export class ServerProcess implements AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly #environment: Record<string, string>;
  readonly #productionPasswords: boolean;
  #child: ChildProcess | null = null;
  #output = "";
  #forget = () => {};

  private constructor(port: number, { environment, productionPasswords = false }: ServerOptions) {
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.#environment = environment;
    this.#productionPasswords = productionPasswords;
  }

  static async start(options: ServerOptions): Promise<ServerProcess> {
    const server = new ServerProcess(options.port ?? (await freePort()), options);
    await server.start();
    return server;
  }

  /** What the process has printed since it was last started. */
  get output(): string {
    return this.#output;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async start(): Promise<void> {
    this.#output = "";
    const program = await serverProgram(this.#productionPasswords ? "withLimits" : "forTests");
    const child = spawn(process.execPath, [program, "start"], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        LOG_LEVEL: "warn",
        WATCHFLOOR_OWNER_EMAIL: owner.email,
        WATCHFLOOR_OWNER_PASSWORD: owner.password,
        WATCHFLOOR_TEMPLATE: "service-desk",
        ...this.#environment,
        PORT: String(this.port),
        HOST: "127.0.0.1",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (text) => {
        this.#output = (this.#output + String(text)).slice(-100_000);
      });
    }
    child.once("exit", (code, signal) => {
      // unexpected: a failed test needs its last output
      if (this.#child === child) {
        console.error(
          `The server ended by itself (${code ?? signal}):\n${this.#output.slice(-4_000)}`,
        );
      }
    });
    this.#child = child;
    this.#forget = cleanUpAtExit(() => killNow(child.pid));
    await this.#ready(child);
  }

  /** Stops (SIGSTOP) or resumes: alive, its connections open, and silent. */
  freeze(isFrozen: boolean): void {
    this.#child?.kill(isFrozen ? "SIGSTOP" : "SIGCONT");
  }

  /** Ends the process by a signal and waits until it is gone. Returns its status; null if it was gone, or killed. */
  async kill(signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): Promise<number | null> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return null;
    const exited = once(child, "exit");
    child.kill(signal);
    const [status] = (await exited) as [number | null];
    this.#forget();
    return status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill("SIGTERM");
  }

  async #ready(child: ChildProcess): Promise<void> {
    let last = "no answer";
    for (
      const end = Date.now() + READY_WITHIN_MS;
      Date.now() < end;
      await sleep(POLL_INTERVAL_MS)
    ) {
      if (child.exitCode !== null) throw new Error(`The server ended at once:\n${this.#output}`);
      const answer = await fetch(`${this.url}/readyz`).catch(() => null);
      if (answer?.ok) return;
      if (answer) last = await answer.text();
    }
    throw new Error(`The server was not ready in time (${last}):\n${this.#output}`);
  }
}
