import { setTimeout as sleep } from "node:timers/promises";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import { cpuTimeOf } from "./load/cpu-time.ts";
import { type Delays, FrameDelays } from "./load/frame-delays.ts";
import { makeWallboards } from "./load/make-wallboards.ts";
import { percentile } from "./load/percentile.ts";
import type { Finding } from "./load/report.ts";
import { Wall } from "./load/wall.ts";
import { WallEdits } from "./load/wall-edits.ts";

/**
 * A thousand screens on twenty wallboards of twelve tiles while 200 edits a second arrive. How late is a frame
 * after its commit; what does that cost beside a bare Socket.IO that sends the same frames at the same times;
 * how often is the database queried, with few screens and with many; and what happens when all connections
 * are cut at once and come back.
 */
const WALLBOARDS = 20;
const SCREENS = Number(process.env.BENCH_SCREENS ?? 1_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 15);
const LATE_MS = 1_000;
const BACK_WITHIN_MS = 5_000;

export function wallboards(): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1 }, async (environment) => {
    const made = await makeWallboards(environment, WALLBOARDS);
    const edits = new WallEdits(environment);
    await edits.open();
    const frameDelays = new FrameDelays(edits, WALLBOARDS);
    const displays = Array.from({ length: SCREENS }, (_, index) => {
      const wallboard = made[index % WALLBOARDS] as (typeof made)[number];
      return new Wall(environment.urls[0] ?? "", wallboard, (frame) =>
        frameDelays.take(index, frame),
      );
    });
    await Promise.all(displays.slice(0, WALLBOARDS).map((display) => display.show()));
    await measured(environment, edits, 3);
    const alone = await measured(environment, edits, SECONDS);
    await Promise.all(displays.slice(WALLBOARDS).map((display) => display.show()));
    frameDelays.clear();
    edits.changeDelays = [];
    const all = await measured(environment, edits, SECONDS);
    await sleep(LATE_MS);
    // later frames are not measured here: a disconnected screen is behind by the length of the cut
    const [{ delays, script }, changes] = [frameDelays, edits.changeDelays];
    frameDelays.clear();
    edits.changeDelays = [];
    const floor = await floorCost(environment, script);
    const back = await cutAndBack(environment, edits, displays, frameDelays);
    return [...frameLateness(delays, changes, floor.delays), ...costs({ alone, all, floor, back })];
  });
}

/** Wallboards that share no query, each on one screen, over so many records. */
const OWN_WALLBOARDS = Number(process.env.BENCH_WALLBOARDS ?? 100);
const OWN_RECORDS = 20_000;

/**
 * How late tiles are where no two wallboards share a query, with one wallboard and with a hundred; and how long Postgres takes for the same
 * statements, each once: what a round would cost if each change made it read all tiles.
 */
export function ownWallboards(): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1 }, async (environment) => {
    await environment.database.query(
      `insert into incidents (id, title, reassignments, priority, state, opened_at)
        select 'own-' || n, 'Own ' || n, n % 7, (array['1 - Critical', '2 - High', '3 - Moderate'])[1 + n % 3],
          (array['New', 'Active', 'Resolved'])[1 + n % 3], now() - n * interval '2 minutes'
        from generate_series(1, ${OWN_RECORDS}) n`,
    );
    await environment.database.query("analyze incidents");
    const made = await makeWallboards(environment, OWN_WALLBOARDS);
    const edits = new WallEdits(environment);
    await edits.open();
    const frameDelays = new FrameDelays(edits, OWN_WALLBOARDS);
    const screens = made.map(
      (wallboard, index) =>
        new Wall(environment.urls[0] ?? "", wallboard, (frame) => frameDelays.take(index, frame)),
    );
    const late = async () => {
      await edits.run(3);
      frameDelays.clear();
      const cost = await measured(environment, edits, SECONDS);
      await sleep(LATE_MS);
      return { ...cost, delays: frameDelays.delays.total };
    };
    await screens[0]?.show();
    const one = await late();
    await Promise.all(screens.slice(1).map((screen) => screen.show()));
    const all = await late();
    const bareMs = await bareRound(environment);
    const names: [string, string] = ["1 wallboard", `${OWN_WALLBOARDS} wallboards`];
    const compared = (what: string, floor: number, product: number, unit = "ms"): Finding => ({
      ...{ what, names, floor, product, unit, target: null },
    });
    return [
      bound(`${OWN_WALLBOARDS} own filters: commit → frame, p95`, LATE_MS, p95(all.delays)),
      compared("commit → frame, median", percentile(one.delays, 0.5), percentile(all.delays, 0.5)),
      compared("commit → frame, p95", p95(one.delays), p95(all.delays)),
      compared("questions to the database", Math.max(1, one.queries), Math.max(1, all.queries), ""),
      compared("CPU of the server", one.cpuMs, all.cpuMs),
      {
        ...{ what: "the same statements once, bare; → frame, median", unit: "ms", target: null },
        ...{ names: ["bare", "product"], floor: bareMs, product: percentile(all.delays, 0.5) },
      },
      {
        ...{ what: "the same statements once, bare; → frame, p95", unit: "ms", target: null },
        ...{ names: ["bare", "product"], floor: bareMs, product: p95(all.delays) },
      },
    ];
  });
}

/** How long Postgres takes for what all tiles show, one statement after the other, without anything around it. */
async function bareRound({ database, records }: BenchEnvironment): Promise<number> {
  const by = (group: string, measure = "count(*)") =>
    `select ${group}, ${measure} from incidents where title <> $1 group by 1`;
  const one = (measure: string) => `select ${measure} from incidents where title <> $1`;
  const tiles = [
    `select sum(reassignments) from incidents where id = '${records[0]}' and $1::text is not null`,
    ...["count(*)", "sum(reassignments)", "avg(reassignments)", "max(reassignments)"].map(one),
    by("state"),
    by("priority", "sum(reassignments)"),
    by('"group"'),
    `select date_trunc('day', opened_at), count(*) from incidents
      where title <> $1 and opened_at > now() - interval '30 days' group by 1`,
    `select id, number, title, state from incidents where title <> $1 order by opened_at desc nulls last limit 8`,
    "select count(*) filter (where title <> $1), count(*) from incidents",
  ];
  const startedAt = performance.now();
  for (let board = 0; board < OWN_WALLBOARDS; board += 1) {
    for (const text of tiles) await database.query(text, [`nothing ${board}`]);
  }
  return performance.now() - startedAt;
}

interface Cost {
  cpuMs: number;
  queries: number;
  /** The average duration of a round of tile evaluation. */
  roundMs: number;
}

const p95 = (delays: readonly number[]) => percentile(delays, 0.95);

const bound = (what: string, limit: number, product: number, unit = "ms"): Finding => ({
  ...{ what, names: ["bound", "product"], floor: limit, product, unit, target: { most: 1 } },
});

/** How late frames are, and where the time goes: the floor's screens are in the same process. */
function frameLateness(delays: Delays, changes: number[], floor: number[]): Finding[] {
  const none = { unit: "ms", target: null };
  return [
    bound("commit → frame, p95", LATE_MS, p95(delays.total)),
    {
      ...{ what: "commit → frame", names: ["p50", "p95"], ...none },
      ...{ floor: percentile(delays.total, 0.5), product: p95(delays.total) },
    },
    {
      ...{ what: "of that: until it is composed", names: ["p50", "p95"], ...none },
      ...{ floor: percentile(delays.made, 0.5), product: p95(delays.made) },
    },
    {
      ...{ what: "of that: sent → on the screen, p95", ...none },
      ...{ floor: p95(floor), product: p95(delays.sent) },
    },
    {
      ...{ what: "commit → change on a grid, → frame, p95", names: ["change", "frame"], ...none },
      ...{ floor: p95(changes), product: p95(delays.total) },
    },
  ];
}

function costs(found: {
  alone: Cost;
  all: Cost;
  floor: { cpuMs: number };
  back: { ms: number; queries: number; idle: number };
}): Finding[] {
  const { alone, all, back } = found;
  const floor = found.floor.cpuMs;
  const few: [string, string] = [`${WALLBOARDS} screens`, `${SCREENS} screens`];
  return [
    { what: "CPU, the same frames", floor, product: all.cpuMs, unit: "ms", target: { most: 3 } },
    {
      what: "CPU beyond that of the edits and few screens",
      floor,
      product: all.cpuMs - alone.cpuMs,
      unit: "ms",
      target: { most: 3 },
    },
    {
      what: "questions to the database",
      names: few,
      floor: Math.max(1, alone.queries),
      product: Math.max(1, all.queries),
      unit: "",
      target: { most: 1.2 },
    },
    {
      what: "a round of all tiles, on average",
      names: few,
      floor: alone.roundMs,
      product: all.roundMs,
      unit: "ms",
      target: null,
    },
    bound("all cut at once, all right again", BACK_WITHIN_MS, back.ms),
    {
      what: "questions to the database on return",
      names: ["quiet", "return"],
      floor: Math.max(1, back.idle),
      product: Math.max(1, back.queries),
      unit: "",
      target: { most: 3 },
    },
  ];
}

/** The server's counters: queries without comparisons, rounds, and their time. */
async function countersOf({ urls }: BenchEnvironment) {
  const text = await (await fetch(`${urls[0]}/metrics`)).text();
  const count = (name: string) =>
    Number(new RegExp(`^watchfloor_tile_${name}_total (\\S+)`, "m").exec(text)?.[1]);
  const queries = count("queries") - count("verified");
  return { queries, rounds: count("rounds"), seconds: count("seconds") };
}

async function measured(
  environment: BenchEnvironment,
  edits: WallEdits,
  seconds: number,
): Promise<Cost> {
  const [cpu, before] = [cpuTimeOf(environment.pids.servers), await countersOf(environment)];
  await edits.run(seconds);
  const after = await countersOf(environment);
  return {
    cpuMs: (cpuTimeOf(environment.pids.servers) ?? Number.NaN) - (cpu ?? Number.NaN),
    queries: after.queries - before.queries,
    roundMs: ((after.seconds - before.seconds) * 1_000) / (after.rounds - before.rounds),
  };
}

/** A bare Socket.IO that sends the same frames to as many screens at the same times: its CPU, and how late they are. */
async function floorCost({ floor }: BenchEnvironment, script: FrameDelays["script"]) {
  const delays: number[] = [];
  for (let screen = 0; screen < SCREENS; screen += 1) {
    const socket = await floor.connect();
    socket.on("frame", ({ sentAt }: { sentAt: number }) => {
      delays.push(performance.now() - sentAt);
    });
    await socket.emitWithAck("join", `wallboard ${screen % WALLBOARDS}`);
  }
  const source = await floor.connect();
  const before = cpuTimeOf([floor.pid]) ?? Number.NaN;
  const startedAt = performance.now();
  const first = script[0]?.at ?? 0;
  for (const { at, wallboard, frame } of script) {
    const wait = at - first - (performance.now() - startedAt);
    if (wait > 0) await sleep(wait);
    const sentAt = performance.now();
    source.emit("relay", { room: `wallboard ${wallboard}`, frame: { ...frame, sentAt } });
  }
  await source.emitWithAck("join", "nobody");
  const cpuMs = (cpuTimeOf([floor.pid]) ?? Number.NaN) - before;
  // the last frames are still on their way
  const screensOf = (wallboard: number) => Math.ceil((SCREENS - wallboard) / WALLBOARDS);
  const sent = script.reduce((sum, { wallboard }) => sum + screensOf(wallboard), 0);
  while (delays.length < sent) await sleep(20);
  return { cpuMs, delays };
}

/** Every connection ends at once; something changes meanwhile; all return at the same moment. */
async function cutAndBack(
  environment: BenchEnvironment,
  edits: WallEdits,
  displays: Wall[],
  frameDelays: FrameDelays,
) {
  const queriesBefore = (await countersOf(environment)).queries;
  await sleep(BACK_WITHIN_MS);
  const idle = (await countersOf(environment)).queries - queriesBefore;
  for (const display of displays) display.cut();
  await edits.run(1);
  await sleep(BACK_WITHIN_MS / 2);
  const before = (await countersOf(environment)).queries;
  const startedAt = performance.now();
  await Promise.all(displays.map((display) => display.show()));
  while (!frameDelays.areAllAt(edits.mark) && performance.now() - startedAt < 4 * BACK_WITHIN_MS) {
    await sleep(20);
  }
  return {
    ms: performance.now() - startedAt,
    queries: (await countersOf(environment)).queries - before,
    idle,
  };
}
