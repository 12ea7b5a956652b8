import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "../shared/filter/filter.ts";
import type { WireOp } from "../shared/protocol/mutate.ts";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import { median, percentile } from "./load/percentile.ts";
import { ProductLine } from "./load/product-line.ts";
import type { Finding } from "./load/report.ts";

/**
 * How many changes per second reach two hundred viewers before they are late (p95 over a second)? Floor: bare
 * broadcasts of single messages from memory. Product: committed edits, through the feed.
 */
const VIEWERS = 200;
const STEP_SECONDS = 2;
const FIRST_RATE = 100;
const GROWTH = 2;
const STEPS_MAX = 8;
/** A busy machine has outliers: a rate is too high only if it fails twice in a row. */
const TRIES = 2;
const LATE_MS = 1_000;
const SHARES_PER_SECOND = 20;
const ROUNDS = 3;
const DRAIN_MS = 4_000;

/** Sends this many changes at once; each is identified by its value. */
type Send = (values: string[]) => Promise<unknown>;

interface Side {
  name: string;
  deliveries: DeliveryDelays;
  send: Send;
}

/** When each change was sent, and its delay for each viewer. */
class DeliveryDelays {
  readonly #sent = new Map<string, number>();
  delays: number[] = [];

  sending(values: readonly string[]): void {
    const now = performance.now();
    for (const value of values) this.#sent.set(value, now);
  }

  markReceived(value: unknown): void {
    const sent = this.#sent.get(String(value));
    if (sent !== undefined) this.delays.push(performance.now() - sent);
  }

  clear(): void {
    this.delays = [];
    this.#sent.clear();
  }
}

export function fanOut(): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1 }, async (environment) => {
    const sides = { floor: await floorSide(environment), product: await productSide(environment) };
    const best = { floor: [] as number[], product: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      best.floor.push(await highestRate(sides.floor));
      best.product.push(await highestRate(sides.product));
    }
    return [
      {
        what: `changes to ${VIEWERS} viewers, p95 within 1 s`,
        floor: median(best.floor),
        product: median(best.product),
        unit: "/s",
        target: { least: 1 },
      },
    ];
  });
}

/** Raises the rate until viewers receive changes late or not at all; the last good one counts. */
async function highestRate(side: Side): Promise<number> {
  let best = 0;
  let rate = FIRST_RATE;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const delivered = await deliveredInTries(side, rate);
    if (delivered === null) return best;
    best = Math.max(best, delivered);
    rate *= GROWTH;
  }
  return best;
}

async function deliveredInTries(side: Side, rate: number): Promise<number | null> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const delivered = await deliveredAt(side, rate);
    if (delivered !== null) return delivered;
    await sleep(DRAIN_MS / 4);
  }
  return null;
}

let serial = 0;

/** Changes per second that every viewer received, or null if they were late. */
async function deliveredAt({ name, deliveries, send }: Side, rate: number): Promise<number | null> {
  deliveries.clear();
  const started = performance.now();
  const sending: Promise<unknown>[] = [];
  const total = Math.round(rate * STEP_SECONDS);
  for (let sent = 0, share = 1; sent < total; share += 1) {
    const due = Math.min(total, Math.ceil((rate * share) / SHARES_PER_SECOND));
    const values = Array.from({ length: due - sent }, () => {
      serial += 1;
      return `${name} ${process.pid} ${serial}`;
    });
    sent = due;
    deliveries.sending(values);
    sending.push(send(values));
    const wait = started + (share * 1_000) / SHARES_PER_SECOND - performance.now();
    if (wait > 0) await sleep(wait);
  }
  await Promise.all(sending);
  const expected = total * VIEWERS;
  while (
    deliveries.delays.length < expected &&
    performance.now() - started < STEP_SECONDS * 1_000 + DRAIN_MS
  ) {
    await sleep(20);
  }
  const seconds = (performance.now() - started) / 1_000;
  const isLate =
    deliveries.delays.length < expected || percentile(deliveries.delays, 0.95) > LATE_MS;
  return isLate ? null : total / Math.max(seconds, STEP_SECONDS);
}

async function floorSide({ floor }: BenchEnvironment): Promise<Side> {
  const deliveries = new DeliveryDelays();
  for (let viewer = 0; viewer < VIEWERS; viewer += 1) {
    const socket = await floor.connect();
    socket.on("edit", ({ set }: { set: { notes: string } }) => deliveries.markReceived(set.notes));
    await socket.emitWithAck("watch");
  }
  const source = await floor.connect();
  return { name: "floor", deliveries, send: (values) => source.emitWithAck("burst", { values }) };
}

async function productSide({ urls, api, records }: BenchEnvironment): Promise<Side> {
  const deliveries = new DeliveryDelays();
  const [url = ""] = urls;
  for (let viewer = 0; viewer < VIEWERS; viewer += 1) {
    const line = await ProductLine.open(url, api.token);
    line.socket.on("changes", ({ changes }) => {
      for (const { set } of changes) deliveries.markReceived(set.notes);
    });
    await line.subscribe({ table: "incidents" });
  }
  const writer = await ProductLine.open(url, api.token);
  const notes = new Map<string, Json>();
  let next = 0;
  let last: Promise<unknown> = Promise.resolve();
  const send: Send = (values) => {
    const ops = values.map((value): WireOp => {
      next += 1;
      const record = records[next % records.length] as string;
      const base = { notes: notes.get(record) ?? null };
      notes.set(record, value);
      return { op: "update", table: "incidents", record, set: { notes: value }, base };
    });
    last = last.then(() => writer.mutate(`fan-out-${values[0]}`, ops));
    return last;
  };
  return { name: "product", deliveries, send };
}
