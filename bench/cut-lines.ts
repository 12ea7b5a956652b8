import { setTimeout as sleep } from "node:timers/promises";
import { LineProxy } from "../e2e/harness/line-proxy.ts";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import { DeliveryRecord } from "./load/delivery-record.ts";
import { inParallel } from "./load/in-parallel.ts";
import { atRate } from "./load/pace.ts";
import { percentile } from "./load/percentile.ts";
import { ProductLine } from "./load/product-line.ts";
import type { Finding } from "./load/report.ts";
import { ReturningLine } from "./load/returning-line.ts";

/**
 * Every client's connection is cut each 15 s while edits continue: how much arrives at all, and how long
 * after the client's return? Floor: Socket.IO's own reconnecting client on bare broadcasts, which has no
 * catch-up.
 */
const CLIENTS = Number(process.env.BENCH_CLIENTS ?? 200);
const SECONDS = 45;
const CUT_EVERY_MS = 15_000;
const AWAY_MS = 500;
const EDITS_PER_SECOND = Number(process.env.BENCH_EDITS_PER_SECOND ?? 20);
const LATE_MS = 1_000;
const DRAIN_MS = 5_000;
const PROXIES = 10;
const LANES = 10;
const clientNumbers = Array.from({ length: CLIENTS }, (_, index) => index);

export function cutLines(): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1 }, async (environment) => {
    const floor = await floorSide(environment);
    const product = await productSide(environment);
    const what = `delivered to ${CLIENTS} clients, cut each 15 s`;
    return [
      {
        ...{ what, unit: "%", target: { least: 1 } },
        ...{ floor: floor.share() * 100, product: product.share() * 100 },
      },
      {
        ...{ what: `${what}, of all`, names: ["all", "product"], unit: "%" },
        ...{ floor: 100, product: product.share() * 100, target: { least: 1 } },
      },
      {
        ...{ what: "delay after the return, p99", names: ["bound", "product"], unit: "ms" },
        ...{ floor: LATE_MS, product: percentile(product.delays, 0.99), target: { most: 1 } },
      },
    ];
  });
}

/**
 * Clients spread over several proxies; while `edit` runs these are cut one after the other, each for a
 * moment, every 15 s.
 */
async function withCuts(
  url: string,
  connect: (proxies: LineProxy[]) => Promise<() => void>,
  edit: () => Promise<void>,
): Promise<void> {
  const port = Number(new URL(url).port);
  const proxies = await Promise.all(Array.from({ length: PROXIES }, () => LineProxy.start(port)));
  const disconnect = await connect(proxies);
  const stop = new AbortController();
  const wait = (ms: number) => sleep(ms, undefined, { signal: stop.signal }).catch(() => {});
  const cutting = proxies.map(async (proxy, index) => {
    await wait((index * CUT_EVERY_MS) / PROXIES);
    while (!stop.signal.aborted) {
      proxy.cut();
      await sleep(AWAY_MS);
      proxy.restore();
      await wait(CUT_EVERY_MS - AWAY_MS);
    }
  });
  await edit();
  stop.abort();
  await Promise.all(cutting);
  await sleep(DRAIN_MS);
  disconnect();
  for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
}

const placeOf = (proxies: readonly LineProxy[], index: number) =>
  proxies[index % proxies.length]?.url as string;

async function floorSide({ floor, records }: BenchEnvironment): Promise<DeliveryRecord> {
  const deliveries = new DeliveryRecord(CLIENTS);
  const writer = await floor.connect();
  const connect = async (proxies: LineProxy[]) => {
    const sockets = await inParallel(clientNumbers, LANES, async (index) => {
      const socket = await floor.connect({ url: placeOf(proxies, index), reconnection: true });
      socket.on("edit", ({ set }: { set: { notes: string } }) =>
        deliveries.markReceived(index, set.notes),
      );
      socket.on("connect", () => socket.emit("watch", () => deliveries.returned(index)));
      await socket.emitWithAck("watch");
      return socket;
    });
    return () => {
      for (const socket of sockets) socket.disconnect();
    };
  };
  await withCuts(floor.url, connect, () =>
    atRate({ perSecond: EDITS_PER_SECOND, seconds: SECONDS }, async (index) => {
      const value = `floor cut ${index}`;
      await writer.emitWithAck("edit", { id: records[index % records.length], value });
      deliveries.sent(value);
    }),
  );
  return deliveries;
}

async function productSide({ urls, api, records }: BenchEnvironment): Promise<DeliveryRecord> {
  const deliveries = new DeliveryRecord(CLIENTS);
  const [url = ""] = urls;
  const writer = await ProductLine.open(url, api.token);
  const stored = new Map<string, string>();
  const connect = async (proxies: LineProxy[]) => {
    const clients = await inParallel(clientNumbers, LANES, async (index) => {
      const line = { url: placeOf(proxies, index), token: api.token };
      const client = new ReturningLine(line, {
        onReturn: () => deliveries.returned(index),
        onChange: ({ mutation }) =>
          mutation !== undefined && deliveries.markReceived(index, mutation),
      });
      await client.start();
      return client;
    });
    return () => {
      for (const client of clients) client.stop();
    };
  };
  await withCuts(url, connect, () =>
    atRate({ perSecond: EDITS_PER_SECOND, seconds: SECONDS }, async (index) => {
      const [value, record] = [`cut ${index}`, records[index % records.length] as string];
      const base = { notes: stored.get(record) ?? null };
      stored.set(record, value);
      const op = { op: "update", table: "incidents", record, set: { notes: value }, base } as const;
      await writer.mutate(value, [op]);
      deliveries.sent(value);
    }),
  );
  writer.close();
  return deliveries;
}
