import { ServerProcess } from "../e2e/harness/server-process.ts";
import type { Json } from "../shared/filter/filter.ts";
import type { WireOp } from "../shared/protocol/mutate.ts";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import { interleave } from "./load/interleave.ts";
import { median } from "./load/percentile.ts";
import { ProductLine } from "./load/product-line.ts";
import type { Finding } from "./load/report.ts";

/**
 * How long it takes until a client that missed 5,000 changes has them all, from the start of its connection.
 * Floor: the same number of rows from memory in one bare acknowledgement. Once from the changes that a server
 * holds in memory, once from the log, as a server answers that has just started. Bound: a second.
 */
const MISSED_CHANGES = 5_000;
const OPS_PER_MUTATION = 500;
const ROUNDS = 5;
const MOST_MS = 1_000;

export function catchUp(): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1 }, async (environment) => {
    const { api, urls, floor, databaseUrl } = environment;
    const [url = ""] = urls;
    const line = await ProductLine.open(url, api.token);
    const { epoch, seq, scope } = await line.subscribe({ table: "incidents" });
    line.close();
    await makeChanges(environment);
    const returnTo = async (to: string) => {
      const started = performance.now();
      const back = await ProductLine.open(to, api.token);
      const answer = await back.subscribe({ table: "incidents", after: { epoch, seq, scope } });
      const took = performance.now() - started;
      back.close();
      if (answer.replay?.length !== MISSED_CHANGES) throw new Error("Not everything came.");
      return took;
    };
    const bare = async () => {
      const started = performance.now();
      const socket = await floor.connect();
      await socket.emitWithAck("rows", MISSED_CHANGES);
      const took = performance.now() - started;
      socket.disconnect();
      return took;
    };
    const fromLog = async () => {
      await using fresh = await ServerProcess.start({
        environment: { DATABASE_URL: databaseUrl },
      });
      return await returnTo(fresh.url);
    };
    const memory = await interleave(ROUNDS, bare, () => returnTo(url));
    const log = await interleave(ROUNDS, bare, fromLog);
    return [
      ...findings("from memory", median(memory.a), median(memory.b)),
      ...findings("from the log", median(log.a), median(log.b)),
    ];
  });
}

function findings(where: string, floorMs: number, productMs: number): Finding[] {
  const what = `catch-up of ${MISSED_CHANGES} changes ${where}`;
  const line = { product: productMs, unit: "ms" };
  return [
    { ...line, what, floor: floorMs, target: null },
    { ...line, what: `${what}, of one second`, floor: MOST_MS, target: { most: 1 } },
  ];
}

async function makeChanges({ api, records }: BenchEnvironment): Promise<void> {
  const notes = new Map<string, Json>();
  for (let made = 0; made < MISSED_CHANGES; made += OPS_PER_MUTATION) {
    const ops = Array.from({ length: OPS_PER_MUTATION }, (_, index): WireOp => {
      const record = records[index % records.length] as string;
      const base = { notes: notes.get(record) ?? null };
      const value = `missed ${made + index}`;
      notes.set(record, value);
      return { op: "update", table: "incidents", record, set: { notes: value }, base };
    });
    await api.call("POST /mutations", { body: { id: `missed-${made}`, ops } });
  }
}
