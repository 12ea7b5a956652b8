import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { acceptInvitation, addUser } from "./load/api-session.ts";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import { cpuTimeOf } from "./load/cpu-time.ts";
import { readEventLoopDelay } from "./load/event-loop-delay.ts";
import type { FloodOrder } from "./load/flooder.ts";
import {
  type AttackName,
  attackNames,
  type Flooder,
  type FloodName,
  floodNames,
} from "./load/floods.ts";
import { atRate } from "./load/pace.ts";
import { median, percentile } from "./load/percentile.ts";
import { ProductLine } from "./load/product-line.ts";
import type { Finding } from "./load/report.ts";
import { residentMiBOf } from "./load/resident-memory.ts";

/**
 * How much longer does somebody wait because of one user who floods the server? Three rounds in turn: nobody floods
 * (`quiet`); the same flood, but of the empty server of the floor (`beside`), which shows what a busy machine alone
 * costs; and the flood of the product (`flooded`). The server runs with its default limits.
 *
 * `attacks` does the same for what somebody does who wants to stop or fill the server, with a heap of 1 GiB, and says what is held
 * by then. What a busy machine costs is part of the floor there, because these floods are as many bytes as the machine can send.
 */
const ROUNDS = 3;
const ROUND_SECONDS = 4;
const CALLS_PER_SECOND = 20;
/** Until a flood has filled the queues, and until they are empty again. */
const FILL_MS = 1_000;
const DRAIN_MS = 2_000;
const WITHIN = 0.95;
const HEAP_MB = 1_024;
const MIB = 1_048_576;
/** What may be stored for a user without grants. */
const STORED_MAX_MIB = 10;
/** The model whose descriptions are asked for. */
const [TABLES, FIELDS] = [80, 60];
/** Attacks by a user whose role grants nothing; the others need to read a table. */
const withoutGrants: readonly FloodName[] = [
  "bad bodies",
  "messages of many arguments",
  "stored bytes",
];
const flooderFile = fileURLToPath(new URL("load/flooder.ts", import.meta.url));

/** Milliseconds from each call to its answer. */
interface Waits {
  edits: number[];
  reads: number[];
  frames: number[];
}
const kinds = {
  edits: "edit → answer",
  reads: "read → answer",
  frames: "edit → wallboard",
} as const;

/** What one round showed. */
interface Round {
  waits: Waits;
  /** Of the server, for what it does at once. */
  loopDelayMs: number;
  /** Cores that the server and Postgres used; NaN if the machine does not report it. */
  cores: number;
  /** Memory of the server, in MiB. */
  residentMiB: number;
  /** Of the database, in MiB. */
  storedMiB: number;
  /** Answered calls of the flood, per second. */
  rate: number;
}
type Situation = "quiet" | "beside" | "flooded";

export const flood = () => runFloods(floodNames);
export const attacks = () => runFloods(attackNames, HEAP_MB);

/** Each flood alone: `npm run bench flood:imports`. */
export const floodBenches = Object.fromEntries([
  ...floodNames.map((name) => [partName("flood", name), () => runFloods([name])]),
  ...attackNames.map((name) => [partName("attacks", name), () => runFloods([name], HEAP_MB)]),
]);

function partName(bench: string, name: FloodName): string {
  return `${bench}:${name.replaceAll(" ", "-")}`;
}

function runFloods(names: readonly FloodName[], heapMb?: number): Promise<Finding[]> {
  const options = { nodes: 1, keepsLimits: true, ...(heapMb !== undefined && { heapMb }) } as const;
  return withBenchEnvironment(options, async (ground) => {
    const somebody = await Somebody.open(ground);
    const editor = await addFlooder(ground, "editor");
    const nobody = await addFlooder(ground, "display");
    const flooder = fork(flooderFile, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    // It represents another machine: it must not take the cores from the server.
    setPriority(flooder.pid ?? 0, constants.priority.PRIORITY_LOW);
    const findings: Finding[] = [];
    for (const name of names) {
      const by = withoutGrants.includes(name) ? nobody : editor;
      if (name === "descriptions of the API") await publishLargeModel(ground);
      const play = (situation: Situation) =>
        playRound(situation, { ground, somebody, flooder, name, by });
      const rounds: Record<Situation, Round[]> = { quiet: [], beside: [], flooded: [] };
      // The first of each warms up.
      for (let index = 0; index <= ROUNDS; index += 1) {
        for (const situation of ["quiet", "beside", "flooded"] as const) {
          const round = await play(situation);
          if (index > 0) rounds[situation].push(round);
        }
      }
      findings.push(...findingsOf(name, rounds));
    }
    flooder.disconnect();
    somebody.close();
    return findings;
  });
}

async function addFlooder(
  { api, urls, records }: BenchEnvironment,
  role: string,
): Promise<Flooder> {
  const user = { name: `Flooder (${role})`, email: `flooder-${role}@example.com` };
  const { invitation } = await addUser(api, user, role);
  const [url = ""] = urls;
  const token = await acceptInvitation(url, invitation, "a password of the bench");
  return { url, token, records: records.slice(records.length / 2) };
}

async function publishLargeModel({ api }: BenchEnvironment): Promise<void> {
  const { version, tables } = await api.call("GET /model");
  const fields = Array.from({ length: FIELDS }, (_, at) => `field_${at + 1}`);
  const made = Array.from({ length: TABLES }, (_, at) => ({
    name: `bench_${at + 1}`,
    label: `Bench ${at + 1}`,
    recordLabel: "record",
    display: "field_1",
    fields: fields.map((name) => ({ name, label: name, type: "text" as const })),
    columns: ["field_1"],
    sort: [],
  }));
  await api.call("PUT /model", { body: { version, tables: [...tables, ...made] } });
}

interface Play {
  ground: BenchEnvironment;
  somebody: Somebody;
  flooder: ChildProcess;
  name: FloodName;
  by: Flooder;
}

async function playRound(
  situation: Situation,
  { ground, somebody, flooder, name, by }: Play,
): Promise<Round> {
  if (situation === "quiet") return { ...(await measure(ground, somebody)), rate: 0 };
  const isFloor = situation === "beside";
  const url = isFloor ? ground.floor.url : by.url;
  const order: FloodOrder = { name, by: { ...by, url, isFloor } };
  const started = performance.now();
  flooder.send(order);
  await sleep(FILL_MS);
  const measured = await measure(ground, somebody);
  const ended = once(flooder, "message");
  flooder.send("stop");
  const seconds = (performance.now() - started) / 1_000;
  const [{ answered }] = (await ended) as [{ answered: number }];
  await sleep(DRAIN_MS);
  return { ...measured, rate: answered / seconds };
}

async function measure(
  { urls: [url = ""], pids, database }: BenchEnvironment,
  somebody: Somebody,
): Promise<Omit<Round, "rate">> {
  const used = () => cpuTimeOf([...pids.servers, pids.postgres]) ?? Number.NaN;
  await readEventLoopDelay(url);
  const [started, before] = [performance.now(), used()];
  const waits = await somebody.round();
  const residentMiB = residentMiBOf(pids.servers);
  const { rows } = await database.query<{ bytes: number }>(
    "select pg_database_size(current_database())::float8 as bytes",
  );
  const storedMiB = (rows[0]?.bytes ?? Number.NaN) / MIB;
  const cores = (used() - before) / (performance.now() - started);
  const loopDelayMs = await readEventLoopDelay(url);
  return { waits, cores, residentMiB, storedMiB, loopDelayMs };
}

function findingsOf(name: FloodName, rounds: Record<Situation, readonly Round[]>): Finding[] {
  const isAttack = attackNames.includes(name as AttackName);
  const of = (situation: Situation, value: (round: Round) => number) =>
    median(rounds[situation].map(value));
  const line = (
    what: string,
    [before, after]: [Situation, Situation],
    value: (round: Round) => number,
    { unit = "ms", target = null }: Partial<Pick<Finding, "unit" | "target">> = {},
  ): Finding => ({
    what: `${name}: ${what}`,
    names: [before, after],
    floor: of(before, value),
    product: of(after, value),
    unit,
    target,
  });
  const waits = (Object.keys(kinds) as (keyof Waits)[]).flatMap((kind) => {
    const within = (share: number) => (round: Round) => percentile(round.waits[kind], share);
    const target = { most: name === "accepted edits elsewhere" ? 1.5 : 2, notYet: true };
    return [
      line(`${kinds[kind]}, p50`, ["quiet", "flooded"], within(0.5)),
      line(`${kinds[kind]}, p95`, ["quiet", "flooded"], within(WITHIN), {
        target: isAttack ? null : target,
      }),
      line(
        `${kinds[kind]}, beside that of an empty server`,
        ["beside", "flooded"],
        within(WITHIN),
        {
          target: isAttack ? target : null,
        },
      ),
    ];
  });
  const stored = Object.values(rounds)
    .flat()
    .map(({ storedMiB }) => storedMiB);
  const held: Finding[] = [
    line("memory of the server", ["quiet", "flooded"], ({ residentMiB }) => residentMiB, {
      unit: "MiB",
    }),
    {
      what: `${name}: stored in the database`,
      names: ["bound", "added"],
      floor: STORED_MAX_MIB,
      product: Math.max(...stored) - Math.min(...stored),
      unit: "MiB",
      target: withoutGrants.includes(name) ? { most: 1, notYet: true } : null,
    },
  ];
  return [
    ...waits,
    ...(isAttack ? held : []),
    line("calls of the flood", ["beside", "flooded"], ({ rate }) => rate, { unit: "/s" }),
    line("event-loop delay, p99", ["quiet", "flooded"], ({ loopDelayMs }) => loopDelayMs),
    line("server and Postgres", ["quiet", "flooded"], ({ cores }) => cores, { unit: "cores" }),
  ];
}

/** The owner's ordinary work: edits one record, reads a page, and follows a wallboard about that record. */
class Somebody {
  readonly #ground: BenchEnvironment;
  readonly #line: ProductLine;
  #stored: number | null = null;
  #serial = 0;
  #waits: Waits = { edits: [], reads: [], frames: [] };
  readonly #shown = new Map<number, number>();

  private constructor(ground: BenchEnvironment, line: ProductLine) {
    this.#ground = ground;
    this.#line = line;
  }

  static async open(ground: BenchEnvironment): Promise<Somebody> {
    const [url = ""] = ground.urls;
    const somebody = new Somebody(ground, await ProductLine.open(url, ground.api.token));
    await somebody.#watchWallboard();
    return somebody;
  }

  /** A value that identifies the edit it includes. */
  async #watchWallboard(): Promise<void> {
    const { api, records } = this.#ground;
    const tile = {
      id: "mark",
      kind: "number",
      table: "incidents",
      layout: { x: 0, y: 0, w: 1, h: 1 },
      filter: { field: "id", op: "eq", value: records[0] ?? "" },
      measure: { op: "sum", field: "reassignments" },
    } as const;
    const made = await api.call("POST /wallboards", { body: { name: "Flood", tiles: [tile] } });
    this.#line.socket.on("frame", ({ wallboard, tiles }) => {
      if (wallboard === made.id) this.#see(Number(tiles.mark?.value));
    });
    await this.#line.socket.emitWithAck("tiles", { wallboard: made.id });
  }

  /** A frame may show several edits at once. */
  #see(value: number): void {
    for (const [serial, sent] of this.#shown) {
      if (serial > value) continue;
      this.#waits.frames.push(performance.now() - sent);
      this.#shown.delete(serial);
    }
  }

  async round(): Promise<Waits> {
    this.#waits = { edits: [], reads: [], frames: [] };
    let edited: Promise<void> = Promise.resolve();
    await atRate({ perSecond: CALLS_PER_SECOND, seconds: ROUND_SECONDS }, (index) => {
      // Edits of one record wait for each other: each is based on the one before.
      edited = index % 2 === 0 ? edited.then(() => this.#edit()) : edited;
      return index % 2 === 0 ? edited : this.#read();
    });
    while (this.#shown.size > 0) await sleep(10);
    return this.#waits;
  }

  async #edit(): Promise<void> {
    const [record = ""] = this.#ground.records;
    const serial = ++this.#serial;
    const sent = performance.now();
    this.#shown.set(serial, sent);
    const [set, base] = [{ reassignments: serial }, { reassignments: this.#stored }];
    const op = { op: "update", table: "incidents", record, set, base } as const;
    await this.#line.mutate(crypto.randomUUID(), [op]);
    this.#stored = serial;
    this.#waits.edits.push(performance.now() - sent);
  }

  async #read(): Promise<void> {
    const sent = performance.now();
    await this.#ground.api.call("GET /tables/{table}/records", {
      params: { table: "incidents" },
      query: { limit: 50, sort: ["-opened_at"] },
    });
    this.#waits.reads.push(performance.now() - sent);
  }

  close(): void {
    this.#line.close();
  }
}
