import { setTimeout as sleep } from "node:timers/promises";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import { cpuTimeOf } from "./load/cpu-time.ts";
import { interleave } from "./load/interleave.ts";
import { atRate } from "./load/pace.ts";
import { median, percentile } from "./load/percentile.ts";
import { ProductLine } from "./load/product-line.ts";
import type { Finding } from "./load/report.ts";

/**
 * The latency from one user's socket to the sockets of others, and the CPU of each edit. Floor: one bare commit, then one
 * bare broadcast. Product: capture, order, rights, relay, fan-out. By itself with fifty viewers: once on one server, once
 * with the writers on one and the viewers on another.
 */
const WRITERS = 10;
const EDITS_PER_SECOND = 20;
const ROUND_SECONDS = 6;
const ROUNDS = 3;
const WARM_UP_MS = 500;
/** The ratios to reach for the median, by the number of viewers on one server. */
const medians = { 1: 1.5, 50: 1.3, 200: 1.2 };
type Viewers = keyof typeof medians;
const SLOWEST_MOST = 2;
const CPU_MOST = 2;
const TWO_NODES = { most: 3 };

/** Sends edits with their times; viewers report when they received them. */
class LatencyRecorder {
  readonly #sent = new Map<string, number>();
  #delays: number[] = [];

  sending(id: string): void {
    this.#sent.set(id, performance.now());
  }

  markReceived(id: string | undefined): void {
    const sent = id === undefined ? undefined : this.#sent.get(id);
    if (sent !== undefined) this.#delays.push(performance.now() - sent);
  }

  take(): number[] {
    const delays = this.#delays;
    this.#delays = [];
    return delays;
  }
}

interface Round {
  delays: number[];
  /** Of the server and Postgres for each edit; NaN if the machine does not report it. */
  cpuMs: number;
}
type PlayRound = () => Promise<Round>;

export async function editLatency(): Promise<Finding[]> {
  const one = await onOneNode(50);
  const two = await withBenchEnvironment({ nodes: 2 }, (environment) => measure(environment, 50));
  return [...one, ...delaysOf("50 viewers, two nodes", two, [TWO_NODES, TWO_NODES])];
}

/** Run only where they are named. */
export const editLatencyBenches = {
  "edit-latency:1": () => onOneNode(1),
  "edit-latency:200": () => onOneNode(200),
};

async function onOneNode(viewers: Viewers): Promise<Finding[]> {
  const where = viewers === 1 ? "1 viewer" : `${viewers} viewers`;
  const rounds = await withBenchEnvironment({ nodes: 1 }, (environment) =>
    measure(environment, viewers),
  );
  const cpu = (side: Round[]) => median(side.map(({ cpuMs }) => cpuMs));
  return [
    ...delaysOf(where, rounds, [
      { most: medians[viewers], notYet: true },
      { most: SLOWEST_MOST, notYet: viewers === 1 },
    ]),
    {
      what: "  CPU of server and Postgres for an edit",
      floor: cpu(rounds.floor),
      product: cpu(rounds.product),
      unit: "ms",
      target: viewers === 1 ? { most: CPU_MOST, notYet: true } : null,
    },
  ];
}

type Target = NonNullable<Finding["target"]>;

interface Rounds {
  floor: Round[];
  product: Round[];
}

async function measure(environment: BenchEnvironment, viewers: number): Promise<Rounds> {
  const ids = environment.records.slice(0, WRITERS);
  const floor = await floorRound(environment, ids, viewers);
  const product = await productRound(environment, ids, viewers);
  const { a, b } = await interleave(ROUNDS, floor, product);
  return { floor: a, product: b };
}

function delaysOf(where: string, { floor, product }: Rounds, targets: Target[]): Finding[] {
  const of = (rounds: Round[], share: number) =>
    median(rounds.map(({ delays }) => percentile(delays, share)));
  return [0.5, 0.99].map((share, index) => ({
    what: `edit → screen, ${where}, p${share * 100}`,
    floor: of(floor, share),
    product: of(product, share),
    unit: "ms",
    target: targets[index] ?? null,
  }));
}

async function floorRound(
  { floor, pids }: BenchEnvironment,
  ids: readonly string[],
  viewers: number,
): Promise<PlayRound> {
  const watch = new LatencyRecorder();
  for (let viewer = 0; viewer < viewers; viewer += 1) {
    const socket = await floor.connect();
    socket.on("edit", ({ set }: { set: { notes: string } }) => watch.markReceived(set.notes));
    await socket.emitWithAck("watch");
  }
  const writers = await Promise.all(ids.map(() => floor.connect()));
  return round(watch, "floor", [floor.pid, pids.postgres], async (value, writer) => {
    await writers[writer]?.emitWithAck("edit", { id: ids[writer], value });
  });
}

async function productRound(
  { urls, api, pids }: BenchEnvironment,
  ids: readonly string[],
  viewers: number,
): Promise<PlayRound> {
  const watch = new LatencyRecorder();
  const viewersUrl = urls.at(-1) as string;
  for (let viewer = 0; viewer < viewers; viewer += 1) {
    const line = await ProductLine.open(viewersUrl, api.token);
    line.socket.on("changes", ({ changes }) => {
      for (const { mutation } of changes) watch.markReceived(mutation);
    });
    await line.subscribe({ table: "incidents" });
  }
  const writers = await Promise.all(ids.map(() => ProductLine.open(urls[0] as string, api.token)));
  const stored: (string | null)[] = ids.map(() => null);
  return round(watch, "product", [...pids.servers, pids.postgres], async (value, writer) => {
    const [record, base] = [ids[writer] as string, stored[writer] ?? null];
    stored[writer] = value;
    const op = {
      op: "update",
      table: "incidents",
      record,
      set: { notes: value },
      base: { notes: base },
    } as const;
    await writers[writer]?.mutate(value, [op]);
  });
}

let serial = 0;

function round(
  watch: LatencyRecorder,
  name: string,
  pids: readonly number[],
  edit: (value: string, writer: number) => Promise<void>,
): PlayRound {
  // Edits of one writer wait for each other: each is based on the one before.
  const last: Promise<void>[] = Array.from({ length: WRITERS }, () => Promise.resolve());
  return async () => {
    const cpuBefore = cpuTimeOf(pids) ?? Number.NaN;
    await atRate({ perSecond: EDITS_PER_SECOND, seconds: ROUND_SECONDS }, (index) => {
      const writer = index % WRITERS;
      serial += 1;
      const value = `${name} ${process.pid} ${serial}`;
      const previous = last[writer];
      const edited = (async () => {
        await previous;
        watch.sending(value);
        await edit(value, writer);
      })();
      last[writer] = edited;
      return edited;
    });
    await sleep(WARM_UP_MS);
    const cpu = (cpuTimeOf(pids) ?? Number.NaN) - cpuBefore;
    return { delays: watch.take(), cpuMs: cpu / (EDITS_PER_SECOND * ROUND_SECONDS) };
  };
}
