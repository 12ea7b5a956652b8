import { setTimeout as sleep } from "node:timers/promises";
import { acceptInvitation } from "./load/api-session.ts";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import { cpuTimeOf } from "./load/cpu-time.ts";
import { median } from "./load/percentile.ts";
import { ProductLine } from "./load/product-line.ts";
import type { Finding } from "./load/report.ts";

/**
 * The cost of different rights on one table: CPU of the server for each change, with the same viewers in 1,
 * 10 and 100 scopes. Every scope includes every record (each by another filter), so that the same is
 * delivered and only evaluating and encoding differ. And the same scopes with a quarter of the viewers: what
 * additional viewers cost is compared with what they cost bare Socket.IO that sends the same.
 */
const SCOPES_MAX = 100;
const VIEWERS = 200;
const FEW = VIEWERS / 4;
const EDITS = 120;
const EDITS_PER_SECOND = 40;
const ROUNDS = 3;
const MS_PER_SECOND = 1_000;

interface Setting {
  scopes: number;
  viewers: number;
}

export function scopes(): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1 }, async (environment) => {
    const tokens = await usersWithOwnScopes(environment);
    const settings: Setting[] = [
      { scopes: 1, viewers: VIEWERS },
      { scopes: 10, viewers: VIEWERS },
      { scopes: SCOPES_MAX, viewers: VIEWERS },
      { scopes: 10, viewers: FEW },
    ];
    const costs = settings.map((): number[] => []);
    const bare: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const added = (await cpuPerSend(environment, VIEWERS)) - (await cpuPerSend(environment, FEW));
      if (round > 0) bare.push(added);
      for (const [place, setting] of settings.entries()) {
        const cost = await cpuPerChange(environment, tokens, setting);
        if (round > 0) costs[place]?.push(cost);
      }
    }
    const [one = Number.NaN, ten = Number.NaN, hundred = Number.NaN, few = Number.NaN] =
      costs.map(median);
    const compared = (what: string, names: [string, string], floor: number, product: number) => ({
      ...{ what, names, floor, product, unit: "ms", target: null },
    });
    return [
      compared(`CPU per change, ${VIEWERS} viewers`, ["1 scope", "10 scopes"], one, ten),
      compared(`CPU per change, ${VIEWERS} viewers`, ["1 scope", "100 scopes"], one, hundred),
      compared("CPU per change, 10 scopes", [`${FEW} viewers`, `${VIEWERS} viewers`], few, ten),
      compared(
        `CPU that ${VIEWERS - FEW} more viewers add`,
        ["bare sending", "product"],
        median(bare),
        ten - few,
      ),
    ];
  });
}

/** As many users as scopes, all with one role, whose row filter uses an attribute. */
async function usersWithOwnScopes({ api }: BenchEnvironment): Promise<string[]> {
  const filter = { field: "location", op: "ne" as const, value: "$me.elsewhere" };
  const grants = { incidents: { read: { filter } } };
  const role = await api.call("POST /roles", { body: { name: "Of a scope", grants } });
  const tokens: string[] = [];
  for (let userIndex = 0; userIndex < SCOPES_MAX; userIndex += 1) {
    const attributes = { elsewhere: `nowhere ${userIndex}` };
    const body = { email: `scope${userIndex}@example.com`, name: "S", role: role.id, attributes };
    const made = await api.call("POST /users", { body });
    const invitation = new URL(made.invitation ?? "").hash.slice(1);
    tokens.push(await acceptInvitation(api.url, invitation, "a password of the bench"));
  }
  return tokens;
}

/** Milliseconds of bare Socket.IO's CPU for each change that is sent to this many. */
async function cpuPerSend({ floor }: BenchEnvironment, viewers: number): Promise<number> {
  let receivedCount = 0;
  const sockets = await Promise.all(Array.from({ length: viewers }, () => floor.connect()));
  for (const socket of sockets) {
    socket.on("edit", () => {
      receivedCount += 1;
    });
    await socket.emitWithAck("watch");
  }
  const source = await floor.connect();
  const before = cpuTimeOf([floor.pid]) ?? Number.NaN;
  for (let edit = 0; edit < EDITS; edit += 1) {
    void source.emitWithAck("burst", { values: [`${viewers} ${edit} ${performance.now()}`] });
    await sleep(MS_PER_SECOND / EDITS_PER_SECOND);
  }
  await delivered(() => receivedCount, EDITS * viewers);
  const spent = (cpuTimeOf([floor.pid]) ?? Number.NaN) - before;
  for (const socket of [source, ...sockets]) socket.disconnect();
  return spent / EDITS;
}

async function delivered(receivedCount: () => number, expected: number): Promise<void> {
  for (let waited = 0; receivedCount() < expected && waited < 10_000; waited += 50) await sleep(50);
  if (receivedCount() < expected)
    throw new Error(`Only ${receivedCount()} of ${expected} changes were delivered.`);
}

/** Milliseconds of the server's CPU for each change, with every change seen by every viewer. */
async function cpuPerChange(
  { urls: [url = ""], api, records, pids }: BenchEnvironment,
  tokens: readonly string[],
  { scopes: count, viewers }: Setting,
): Promise<number> {
  let receivedCount = 0;
  const lines: ProductLine[] = [];
  for (let viewer = 0; viewer < viewers; viewer += 1) {
    const line = await ProductLine.open(url, tokens[viewer % count] as string);
    line.socket.on("changes", ({ changes }) => {
      receivedCount += changes.length;
    });
    await line.subscribe({ table: "incidents" });
    lines.push(line);
  }
  const before = cpuTimeOf(pids.servers) ?? Number.NaN;
  for (let edit = 0; edit < EDITS; edit += 1) {
    const params = { table: "incidents", id: records[edit % records.length] ?? "" };
    const set = { notes: `${count} scopes ${viewers} ${edit} ${performance.now()}` };
    const call = { params, query: { overwrite: true }, body: { set } };
    void api.call("PATCH /tables/{table}/records/{id}", call);
    await sleep(MS_PER_SECOND / EDITS_PER_SECOND);
  }
  await delivered(() => receivedCount, EDITS * viewers);
  const spent = (cpuTimeOf(pids.servers) ?? Number.NaN) - before;
  for (const line of lines) line.close();
  return spent / EDITS;
}
