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
