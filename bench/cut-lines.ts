import { setTimeout as sleep } from "node:timers/promises";
import type { Socket } from "socket.io-client";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import { breakLine } from "./load/break-line.ts";
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
const GROUPS = 10;
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
 * While `edit` runs, cuts a tenth of the clients every 1.5 s. The clients break their own connections: a proxy between
 * them and the server would cost the machine as much as the clients.
 */
async function withCuts(cut: (client: number) => void, edit: () => Promise<void>): Promise<void> {
  let turn = 0;
  const timer = setInterval(() => {
    for (const client of clientNumbers) if (client % GROUPS === turn) cut(client);
    turn = (turn + 1) % GROUPS;
  }, CUT_EVERY_MS / GROUPS);
  await edit();
  clearInterval(timer);
  await sleep(DRAIN_MS);
}

async function floorSide({ floor, records }: BenchEnvironment): Promise<DeliveryRecord> {
  const deliveries = new DeliveryRecord(CLIENTS);
  const writer = await floor.connect();
  const sockets = await inParallel(clientNumbers, LANES, async (index) => {
    const socket = await floor.connect({ reconnection: true });
    socket.on("edit", ({ set }: { set: { notes: string } }) =>
      deliveries.markReceived(index, set.notes),
    );
    socket.on("connect", () => socket.emit("watch", () => deliveries.returned(index)));
    await socket.emitWithAck("watch");
    return socket;
  });
  const cut = (index: number) => breakLine(sockets[index] as Socket);
  await withCuts(cut, () =>
    atRate({ perSecond: EDITS_PER_SECOND, seconds: SECONDS }, async (index) => {
      const value = `floor cut ${index}`;
      await writer.emitWithAck("edit", { id: records[index % records.length], value });
      deliveries.sent(value);
    }),
  );
  for (const socket of sockets) socket.disconnect();
  return deliveries;
}

async function productSide({ urls, api, records }: BenchEnvironment): Promise<DeliveryRecord> {
  const deliveries = new DeliveryRecord(CLIENTS);
  const [url = ""] = urls;
  const writer = await ProductLine.open(url, api.token);
  const stored = new Map<string, string>();
  const line = { url, token: api.token };
  const clients = await inParallel(clientNumbers, LANES, async (index) => {
    const client = new ReturningLine(line, {
      onReturn: () => deliveries.returned(index),
      onChange: ({ mutation }) =>
        mutation !== undefined && deliveries.markReceived(index, mutation),
    });
    await client.start();
    return client;
  });
  const cut = (index: number) => void clients[index]?.cut(AWAY_MS);
  await withCuts(cut, () =>
    atRate({ perSecond: EDITS_PER_SECOND, seconds: SECONDS }, async (index) => {
      const [value, record] = [`cut ${index}`, records[index % records.length] as string];
      const base = { notes: stored.get(record) ?? null };
      stored.set(record, value);
      const op = { op: "update", table: "incidents", record, set: { notes: value }, base } as const;
      await writer.mutate(value, [op]);
      deliveries.sent(value);
    }),
  );
  for (const client of clients) client.stop();
  writer.close();
  return deliveries;
}
