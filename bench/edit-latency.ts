import { setTimeout as sleep } from "node:timers/promises";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import { interleave } from "./load/interleave.ts";
import { atRate } from "./load/pace.ts";
import { median, percentile } from "./load/percentile.ts";
import { ProductLine } from "./load/product-line.ts";
import type { Finding } from "./load/report.ts";

/**
 * The latency from one user's socket to the sockets of fifty others. Floor: one bare commit, then one bare
 * broadcast. Product: capture, order, rights, relay, fan-out. Once on one server, once with the writers on
 * one and the viewers on another.
 */
const VIEWERS = 50;
const WRITERS = 10;
const EDITS_PER_SECOND = 20;
const ROUND_SECONDS = 6;
const ROUNDS = 3;
const WARM_UP_MS = 500;

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

type Round = () => Promise<number[]>;

export async function editLatency(): Promise<Finding[]> {
  const one = await withBenchEnvironment({ nodes: 1 }, (environment) =>
    measure(environment, "one node", 2),
  );
  const two = await withBenchEnvironment({ nodes: 2 }, (environment) =>
    measure(environment, "two nodes", 3),
  );
  return [...one, ...two];
}

async function measure(
  environment: BenchEnvironment,
  where: string,
  most: number,
): Promise<Finding[]> {
  const ids = environment.records.slice(0, WRITERS);
  const floor = await floorRound(environment, ids);
  const product = await productRound(environment, ids);
  const { a, b } = await interleave(ROUNDS, floor, product);
  const of = (rounds: number[][], share: number) => median(rounds.map((r) => percentile(r, share)));
  return [0.5, 0.99].map((share) => ({
    what: `edit → screen, ${where}, p${share * 100}`,
    floor: of(a, share),
    product: of(b, share),
    unit: "ms",
    target: { most },
  }));
}

async function floorRound({ floor }: BenchEnvironment, ids: readonly string[]): Promise<Round> {
  const watch = new LatencyRecorder();
  for (let viewer = 0; viewer < VIEWERS; viewer += 1) {
    const socket = await floor.connect();
    socket.on("edit", ({ set }: { set: { notes: string } }) => watch.markReceived(set.notes));
    await socket.emitWithAck("watch");
  }
  const writers = await Promise.all(ids.map(() => floor.connect()));
  return round(watch, "floor", async (value, writer) => {
    await writers[writer]?.emitWithAck("edit", { id: ids[writer], value });
  });
}

async function productRound(
  { urls, api }: BenchEnvironment,
  ids: readonly string[],
): Promise<Round> {
  const watch = new LatencyRecorder();
  const viewersUrl = urls.at(-1) as string;
  for (let viewer = 0; viewer < VIEWERS; viewer += 1) {
    const line = await ProductLine.open(viewersUrl, api.token);
    line.socket.on("changes", ({ changes }) => {
      for (const { mutation } of changes) watch.markReceived(mutation);
    });
    await line.subscribe({ table: "incidents" });
  }
  const writers = await Promise.all(ids.map(() => ProductLine.open(urls[0] as string, api.token)));
  const stored: (string | null)[] = ids.map(() => null);
  return round(watch, "product", async (value, writer) => {
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
  edit: (value: string, writer: number) => Promise<void>,
): Round {
  // Edits of one writer wait for each other: each is based on the one before.
  const last: Promise<void>[] = Array.from({ length: WRITERS }, () => Promise.resolve());
  return async () => {
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
    return watch.take();
  };
}
