import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MutateAnswer } from "../../shared/protocol/mutate.ts";
import type { WireRecord } from "../../shared/protocol/record.ts";
import { signIn } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { workableIncident } from "../harness/workable-incident.ts";
import { cleanUpAtExit, killNow } from "../provision/clean-up.ts";
import { freePort } from "../provision/free-port.ts";
import { findProgram } from "../provision/programs.ts";
import { proofSize, someCases } from "../provision/proof-size.ts";
import { type TempFolder, tempFolder } from "../provision/temp-folder.ts";
import { repositoryRoot } from "../suite/run-tool.ts";
import { descendants, isServer } from "./npm-start.ts";

/**
 * All ways in which a server that somebody started is asked to stop, each while users edit and while the next server starts on
 * the same data: it ends with status 0, nothing of it is left behind, and the next one needs no recovery.
 */

const owner = { email: "owner@example.com", password: "a long enough password" };
const EDITORS = 4;
const MANY_EDITS = 20;
const STOPS = proofSize(1, 50);
const WITHIN_MS = 120_000;
const ENDLESS_MS = "3600000";

let folder: TempFolder;
let token: string;
const dataDir = () => join(folder.path, "data");
const inPostgres = (name: string) => join(dataDir(), "postgres", name);

/** The processes of one start. */
interface Start {
  readonly url: string;
  readonly child: ChildProcess;
  output(): string;
}

const npm = findProgram(["npm"]) ?? "npm";
const npmStart = [npm, "start"];
/** The same in a terminal of its own; what is written to its standard input is typed there. */
const inTerminal = ["script", "--quiet", "--return", "--command", `${npm} start`, "/dev/null"];

/** Notes the status with which a server ends, also when whoever started it is gone. */
const noteStatus = () => `
import { writeFileSync } from "node:fs";
if (process.argv[1]?.endsWith("server/main.ts")) {
  await import("${pathToFileURL(join(repositoryRoot, "e2e/harness/limits-of-environment.ts"))}");
  process.on("exit", (code) => writeFileSync(\`${folder.path}/status-\${process.pid}\`, String(code)));
}
`;

async function environment(port: number): Promise<Record<string, string>> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: folder.path,
    NODE_OPTIONS: `--import=${join(folder.path, "note-status.mjs")}`,
    DATA_DIR: dataDir(),
    HOST: "127.0.0.1",
    PORT: String(port),
    WATCHFLOOR_OWNER_EMAIL: owner.email,
    WATCHFLOOR_OWNER_PASSWORD: owner.password,
    WATCHFLOOR_TEMPLATE: "service-desk",
    // The tests say how long a request takes, on a machine of any speed.
    WATCHFLOOR_STOP_TIMEOUT_MS: ENDLESS_MS,
    REQUEST_BODY_TIMEOUT_MS: ENDLESS_MS,
  };
}

/** Begins to start; `isUp` waits until that is done. */
async function begin([file = "", ...args]: readonly string[]): Promise<Start> {
  const port = await freePort();
  const env = await environment(port);
  // As the shell of a terminal does, or systemd.
  const child = spawn(file, args, { cwd: repositoryRoot, env, detached: true });
  const forget = cleanUpAtExit(() => {
    for (const pid of descendants(child.pid ?? 0)) killNow(pid);
  });
  void once(child, "exit").then(forget);
  child.stdin.on("error", () => {});
  const text: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => text.push(String(chunk)));
  }
  return { url: `http://127.0.0.1:${port}`, child, output: () => text.join("") };
}

async function isUp(start: Start): Promise<void> {
  await until("the server is ready", WITHIN_MS, async () => {
    const { exitCode, signalCode } = start.child;
    if (exitCode !== null || signalCode !== null) throw new Error(start.output());
    return (await fetch(`${start.url}/readyz`).catch(() => undefined))?.ok;
  });
}

const serverOf = (start: Start) => descendants(start.child.pid ?? 0).find(isServer) ?? 0;

async function haveEnded(pids: readonly number[]): Promise<void> {
  const isLeft = (pid: number) => existsSync(`/proc/${pid}`) && !isZombie(pid);
  await until("nothing is left behind", WITHIN_MS, () => !pids.some(isLeft));
}

function isZombie(pid: number): boolean {
  try {
    return /^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return true;
  }
}

/** Empty for a process that has just ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Processes of one group get a terminal's Ctrl-C together. */
const groupOf = (pid: number) =>
  execFileSync("ps", ["-o", "pgid=", "-p", String(pid)], { encoding: "utf8" }).trim();

const statusOf = (server: number) => readFileSync(join(folder.path, `status-${server}`), "utf8");

async function post(url: string, body: unknown): Promise<MutateAnswer | undefined> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  const answer = await fetch(`${url}/api/v1/mutations`, request).catch(() => undefined);
  if (answer && answer.status < 500) expect(answer.status).toBe(200);
  return answer?.ok ? ((await answer.json().catch(() => undefined)) as MutateAnswer) : undefined;
}

async function titleOf(url: string, record: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/v1/tables/incidents/records/${record}`, { headers });
  return String(((await answer.json()) as WireRecord).values.title);
}

/** A user who edits one record. */
class Editor {
  readonly #record: string;
  /** The last title that was acknowledged, and one that was sent after it. */
  #acknowledged = "";
  #sent = "";
  edits = 0;

  constructor(record: string) {
    this.#record = record;
  }

  /** Edits until the server answers no more. */
  async edit(url: string): Promise<void> {
    this.#acknowledged = await titleOf(url, this.#record);
    for (;;) {
      this.#sent = `${this.#record} ${randomUUID()}`;
      const [set, base] = [{ title: this.#sent }, { title: this.#acknowledged }];
      const op = { op: "update", table: "incidents", record: this.#record, set, base };
      const answer = await post(url, { id: randomUUID(), ops: [op] });
      if (!answer) return;
      expect(answer.results).toMatchObject([{ ok: true }]);
      this.#acknowledged = this.#sent;
      this.edits += 1;
    }
  }

  /** Checks that the last acknowledged edit is stored, or the one after it, which was not answered. */
  async check(url: string): Promise<void> {
    expect([this.#acknowledged, this.#sent]).toContain(await titleOf(url, this.#record));
  }
}

/** A request that the server waits for when it stops, until it is destroyed. */
async function longRequest(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});
  const lines = [
    "POST /api/v1/mutations HTTP/1.1",
    "Host: localhost",
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    "Content-Length: 1000",
    "Expect: 100-continue",
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  await once(socket, "data");
  return socket;
}

/** Postgres' log has one clean end for each stop, and no recovery. */
function expectCleanStops(count: number): void {
  const log = readFileSync(inPostgres("postgres.log"), "utf8");
  expect(log).not.toMatch(/interrupted|not properly shut down|automatic recovery|redo starts/);
  expect(log.match(/database system is shut down/g)).toHaveLength(count);
}

/** The command of the unit for systemd, after it has done what comes before. */
async function unitCommand(): Promise<string[]> {
  const unit = readFileSync(join(repositoryRoot, "docs/guides/deploy/watchfloor.service"), "utf8");
  const partsOf = (name: string) => {
    const line = new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";
    return line.replaceAll("/opt/watchfloor", repositoryRoot).split(" ");
  };
  const [, ...before] = partsOf("ExecStartPre");
  const env = await environment(0);
  execFileSync(findProgram(["node"]) ?? process.execPath, before, { cwd: repositoryRoot, env });
  return partsOf("ExecStart");
}

beforeAll(async () => {
  folder = await tempFolder();
  writeFileSync(join(folder.path, "note-status.mjs"), noteStatus());
});
afterAll(() => folder.drop());

describe("a server that is asked to stop", () => {
  const editors = Array.from({ length: EDITORS }, (_, n) => new Editor(workableIncident(n)));
  const edits = () => editors.reduce((sum, editor) => sum + editor.edits, 0);
  let stops = 0;
  let running: Start | undefined;

  afterAll(async () => {
    if (!running) return;
    const pids = descendants(running.child.pid ?? 0);
    killNow(serverOf(running), "SIGTERM");
    await haveEnded(pids);
  });

  /** Stops the server that runs in a way, and starts the next one meanwhile. */
  async function stopInAWay(way: Way, next: Way, isSlow: boolean): Promise<void> {
    running ??= await begin(await way.command());
    const start = running;
    await isUp(start);
    token ??= (await signIn(start.url, owner)).token;
    const before = edits();
    const editing = Promise.all(editors.map((editor) => editor.edit(start.url)));
    const manyEdits = () => edits() > before + MANY_EDITS;
    await Promise.race([editing, until("users edit", WITHIN_MS, manyEdits)]);
    expect(manyEdits()).toBe(true);
    const waitedFor = isSlow ? await longRequest(start.url) : undefined;
    const pids = descendants(start.child.pid ?? 0);
    const server = serverOf(start);
    expect(pids.length).toBeGreaterThan(2);
    const nextCommand = await next.command();
    way.stop(start, pids);
    running = await begin(nextCommand);
    if (waitedFor) {
      const sentence = `Another Watchfloor server (process ${server}) is stopping`;
      const { output } = running;
      await until("the next one waits", WITHIN_MS, () => output().includes(sentence));
      waitedFor.destroy();
    }
    await haveEnded(pids);
    await editing;
    expect(statusOf(server)).toBe("0");
    await isUp(running);
    stops += 1;
    expectCleanStops(stops);
    for (const editor of editors) await editor.check(running.url);
  }

  interface Way {
    command(): readonly string[] | Promise<readonly string[]>;
    /** Whether its stop lasts longer than the time after which a second signal would end the server at once. */
    readonly isSlow: boolean;
    stop(start: Start, pids: readonly number[]): void;
  }

  const signalled: Way = {
    command: () => npmStart,
    isSlow: true,
    stop: ({ child }) => killNow(child.pid, "SIGTERM"),
  };
  const interrupted: Way = {
    command: () => inTerminal,
    isSlow: true,
    stop: ({ child }) => void child.stdin?.write("\x03"),
  };
  const hungUp: Way = {
    command: () => inTerminal,
    isSlow: false,
    stop: ({ child }) => killNow(child.pid),
  };
  const startersKilled: Way = {
    command: () => npmStart,
    isSlow: false,
    stop: (start, pids) => {
      const server = pids.indexOf(serverOf(start));
      for (const pid of pids.slice(0, server)) killNow(pid);
    },
  };
  const byService: Way = {
    command: unitCommand,
    isSlow: true,
    stop: ({ child }) => killNow(child.pid, "SIGTERM"),
  };

  it("ends in order when Ctrl-C arrives while Postgres is being initialised, and leaves data that the next one uses", async () => {
    const start = await begin(inTerminal);
    const initdb = await until("Postgres is being initialised", WITHIN_MS, () =>
      descendants(start.child.pid ?? 0).find((pid) => commandOf(pid).includes("/initdb\0")),
    );
    const pids = descendants(start.child.pid ?? 0);
    const server = serverOf(start);
    // initdb breaks off at some of its steps, and at others it does not.
    expect(groupOf(initdb)).not.toBe(groupOf(server));
    interrupted.stop(start, pids);
    await haveEnded(pids);
    expect(statusOf(server)).toBe("0");
    expect(readdirSync(inPostgres(""))).toContain("data");
    expect(readdirSync(inPostgres("")).filter((name) => name.startsWith("new-"))).toEqual([]);
  });

  const ways: readonly [title: string, way: Way][] = [
    ["by one SIGTERM to npm, however long it takes", signalled],
    ["by one Ctrl-C in its terminal, however long it takes", interrupted],
    ["when its terminal is closed", hungUp],
    ["when all that started it was killed", startersKilled],
    ["by the SIGTERM of systemd, to the command of the unit", byService],
  ];
  const tried = [...ways.slice(0, 1), ...someCases(ways.slice(1))];

  it.each(tried)("ends in order %s", { timeout: (STOPS + 1) * WITHIN_MS }, async (title, way) => {
    const at = tried.findIndex(([other]) => other === title);
    const next = tried[at + 1]?.[1] ?? signalled;
    const times = way === signalled || way === byService ? STOPS : 1;
    for (let n = 1; n <= times; n += 1)
      await stopInAWay(way, n < times ? way : next, way.isSlow && n % 2 === 1);
  });

  it("has made a key for stored secrets, which nobody else may read", () => {
    expect(statSync(join(dataDir(), "secret-key")).mode & 0o777).toBe(0o600);
  });
});
