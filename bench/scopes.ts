import { setTimeout as sleep } from "node:timers/promises";
import type { RoleInfo } from "../shared/protocol/roles.ts";
import { type BenchGround, onBenchGround } from "./load/bench-ground.ts";
import { cpuTimeOf } from "./load/cpu-time.ts";
import { median } from "./load/percentile.ts";
import { ProductLine } from "./load/product-line.ts";
import type { Finding } from "./load/report.ts";
import { acceptInvitation } from "./load/rest.ts";

/**
 * What does it cost that people see a table by other rights? CPU of the server for each change that is
 * sent, with the same viewers in 1, 10 and 100 scopes. Every scope lets every record through (each by
 * another filter), so that what is delivered is the same and only judging and encoding differ. And the
 * same scopes with a quarter of the viewers: what is left then is the delivery.
 */
const SCOPES_MAX = 100;
const VIEWERS = 200;
const EDITS = 120;
const EDITS_PER_SECOND = 40;
const ROUNDS = 3;
const MS_PER_SECOND = 1_000;

interface Setting {
  scopes: number;
  viewers: number;
}

export function scopes(): Promise<Finding[]> {
  return onBenchGround({ nodes: 1 }, async (ground) => {
    const tokens = await peopleWithScopesOfTheirOwn(ground);
    const settings: Setting[] = [
      { scopes: 1, viewers: VIEWERS },
      { scopes: 10, viewers: VIEWERS },
      { scopes: SCOPES_MAX, viewers: VIEWERS },
      { scopes: 10, viewers: VIEWERS / 4 },
    ];
    const costs = settings.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [place, setting] of settings.entries()) {
        const cost = await cpuPerChange(ground, tokens, setting);
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
      compared(
        "CPU per change, 10 scopes",
        [`${VIEWERS / 4} viewers`, `${VIEWERS} viewers`],
        few,
        ten,
      ),
    ];
  });
}

/** As many people as scopes, all of one role, whose row filter asks for an attribute. */
async function peopleWithScopesOfTheirOwn({ desk }: BenchGround): Promise<string[]> {
  const filter = { field: "location", op: "ne", value: "$me.elsewhere" };
  const grants = { incidents: { read: { filter } } };
  const role = await desk.call<RoleInfo>("POST", "/roles", { name: "Of a scope", grants });
  const tokens: string[] = [];
  for (let person = 0; person < SCOPES_MAX; person += 1) {
    const attributes = { elsewhere: `nowhere ${person}` };
    const call = { email: `scope${person}@example.com`, name: "S", role: role.id, attributes };
    const made = await desk.call<{ invitation: string }>("POST", "/users", call);
    const invitation = new URL(made.invitation).hash.slice(1);
    tokens.push(await acceptInvitation(desk.url, invitation, "a password of the bench"));
  }
  return tokens;
}

/** Milliseconds of the server's CPU for each change, with every change seen by every viewer. */
async function cpuPerChange(
  { urls: [url = ""], desk, records, pids }: BenchGround,
  tokens: readonly string[],
  { scopes: count, viewers }: Setting,
): Promise<number> {
  let seen = 0;
  const lines: ProductLine[] = [];
  for (let viewer = 0; viewer < viewers; viewer += 1) {
    const line = await ProductLine.open(url, tokens[viewer % count] as string);
    line.socket.on("changes", ({ changes }) => {
      seen += changes.length;
    });
    await line.subscribe({ table: "incidents" });
    lines.push(line);
  }
  const before = cpuTimeOf(pids.servers) ?? Number.NaN;
  for (let edit = 0; edit < EDITS; edit += 1) {
    const record = records[edit % records.length];
    const set = { notes: `${count} scopes ${viewers} ${edit} ${performance.now()}` };
    const path = `/tables/incidents/records/${record}?overwrite=true`;
    void desk.call("PATCH", path, { set });
    await sleep(MS_PER_SECOND / EDITS_PER_SECOND);
  }
  const wanted = EDITS * viewers;
  for (let waited = 0; seen < wanted && waited < 10_000; waited += 50) await sleep(50);
  const spent = (cpuTimeOf(pids.servers) ?? Number.NaN) - before;
  for (const line of lines) line.close();
  if (seen < wanted) throw new Error(`Only ${seen} of ${wanted} changes were delivered.`);
  return spent / EDITS;
}
