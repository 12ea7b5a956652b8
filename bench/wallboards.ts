import { setTimeout as sleep } from "node:timers/promises";
import { type BenchGround, onBenchGround } from "./load/bench-ground.ts";
import { cpuTimeOf } from "./load/cpu-time.ts";
import { percentile } from "./load/percentile.ts";
import type { Finding } from "./load/report.ts";
import { type Delays, SeenFrames } from "./load/seen-frames.ts";
import { Wall } from "./load/wall.ts";
import { makeBoards } from "./load/wall-boards.ts";
import { WallEdits } from "./load/wall-edits.ts";

/**
 * A thousand screens on twenty boards of twelve tiles while 200 edits a second arrive. How late is a
 * frame after its commit; what does that cost beside a bare Socket.IO that sends the same frames at
 * the same times; how often is the database asked, with few screens and with many; and what happens
 * when all lines are cut at once and come back.
 */
const BOARDS = 20;
const SCREENS = Number(process.env.BENCH_SCREENS ?? 1_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 15);
const LATE_MS = 1_000;
const BACK_WITHIN_MS = 5_000;

export function wallboards(): Promise<Finding[]> {
  return onBenchGround({ nodes: 1 }, async (ground) => {
    const boards = await makeBoards(ground, BOARDS);
    const edits = new WallEdits(ground);
    await edits.open();
    const seen = new SeenFrames(edits, BOARDS);
    const walls = Array.from({ length: SCREENS }, (_, index) => {
      const board = boards[index % BOARDS] as (typeof boards)[number];
      return new Wall(ground.urls[0] ?? "", board, (frame) => seen.take(index, frame));
    });
    await Promise.all(walls.slice(0, BOARDS).map((wall) => wall.show()));
    await measured(ground, edits, 3);
    const alone = await measured(ground, edits, SECONDS);
    await Promise.all(walls.slice(BOARDS).map((wall) => wall.show()));
    seen.clear();
    edits.changeDelays = [];
    const all = await measured(ground, edits, SECONDS);
    await sleep(LATE_MS);
    // what comes later is another question: a screen whose line is cut is behind by as long as it is cut
    const [{ delays, script }, changes] = [seen, edits.changeDelays];
    seen.clear();
    edits.changeDelays = [];
    const floor = await floorCost(ground, script);
    const back = await cutAndBack(ground, edits, walls, seen);
    return [...lateness(delays, changes, floor.delays), ...costs({ alone, all, floor, back })];
  });
}

interface Cost {
  cpuMs: number;
  queries: number;
  /** How long a round of working tiles out took on average. */
  roundMs: number;
}

const p95 = (delays: readonly number[]) => percentile(delays, 0.95);

const bound = (what: string, limit: number, product: number, unit = "ms"): Finding => ({
  ...{ what, names: ["bound", "product"], floor: limit, product, unit, target: { most: 1 } },
});

/** How late frames are, and where the time goes: the floor's screens are in the same process. */
function lateness(delays: Delays, changes: number[], floor: number[]): Finding[] {
  const none = { unit: "ms", target: null };
  return [
    bound("commit → frame, p95", LATE_MS, p95(delays.whole)),
    {
      ...{ what: "commit → frame", names: ["p50", "p95"], ...none },
      ...{ floor: percentile(delays.whole, 0.5), product: p95(delays.whole) },
    },
    {
      ...{ what: "of that: until it is put together", names: ["p50", "p95"], ...none },
      ...{ floor: percentile(delays.made, 0.5), product: p95(delays.made) },
    },
    {
      ...{ what: "of that: sent → on the screen, p95", ...none },
      ...{ floor: p95(floor), product: p95(delays.sent) },
    },
    {
      ...{ what: "commit → change on a grid, → frame, p95", names: ["change", "frame"], ...none },
      ...{ floor: p95(changes), product: p95(delays.whole) },
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
  const few: [string, string] = [`${BOARDS} screens`, `${SCREENS} screens`];
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

/** What the server has counted: questions that were not there to compare, rounds, and the time of those. */
async function countersOf({ urls }: BenchGround) {
  const text = await (await fetch(`${urls[0]}/metrics`)).text();
  const count = (name: string) =>
    Number(new RegExp(`^watchfloor_tile_${name}_total (\\S+)`, "m").exec(text)?.[1]);
  const queries = count("queries") - count("verified");
  return { queries, rounds: count("rounds"), seconds: count("seconds") };
}

async function measured(ground: BenchGround, edits: WallEdits, seconds: number): Promise<Cost> {
  const [cpu, before] = [cpuTimeOf(ground.pids.servers), await countersOf(ground)];
  await edits.run(seconds);
  const after = await countersOf(ground);
  return {
    cpuMs: (cpuTimeOf(ground.pids.servers) ?? Number.NaN) - (cpu ?? Number.NaN),
    queries: after.queries - before.queries,
    roundMs: ((after.seconds - before.seconds) * 1_000) / (after.rounds - before.rounds),
  };
}

/** A bare Socket.IO that sends the same frames to as many screens at the same times: its CPU, and how late they are. */
async function floorCost({ floor }: BenchGround, script: SeenFrames["script"]) {
  const delays: number[] = [];
  for (let screen = 0; screen < SCREENS; screen += 1) {
    const socket = await floor.connect();
    socket.on("frame", ({ sentAt }: { sentAt: number }) => {
      delays.push(performance.now() - sentAt);
    });
    await socket.emitWithAck("join", `board ${screen % BOARDS}`);
  }
  const source = await floor.connect();
  const before = cpuTimeOf([floor.pid]) ?? Number.NaN;
  const began = performance.now();
  const first = script[0]?.at ?? 0;
  for (const { at, board, frame } of script) {
    const wait = at - first - (performance.now() - began);
    if (wait > 0) await sleep(wait);
    const sentAt = performance.now();
    source.emit("relay", { room: `board ${board}`, frame: { ...frame, sentAt } });
  }
  await source.emitWithAck("join", "nobody");
  const cpuMs = (cpuTimeOf([floor.pid]) ?? Number.NaN) - before;
  // the last frames are still on their way
  const screensOf = (board: number) => Math.ceil((SCREENS - board) / BOARDS);
  const sent = script.reduce((sum, { board }) => sum + screensOf(board), 0);
  while (delays.length < sent) await sleep(20);
  return { cpuMs, delays };
}

/** Every line ends at once; something changes meanwhile; all come back in the same moment. */
async function cutAndBack(ground: BenchGround, edits: WallEdits, walls: Wall[], seen: SeenFrames) {
  const quiet = (await countersOf(ground)).queries;
  await sleep(BACK_WITHIN_MS);
  const idle = (await countersOf(ground)).queries - quiet;
  for (const wall of walls) wall.cut();
  await edits.run(1);
  await sleep(BACK_WITHIN_MS / 2);
  const before = (await countersOf(ground)).queries;
  const began = performance.now();
  await Promise.all(walls.map((wall) => wall.show()));
  while (!seen.areAllAt(edits.mark) && performance.now() - began < 4 * BACK_WITHIN_MS) {
    await sleep(20);
  }
  return {
    ms: performance.now() - began,
    queries: (await countersOf(ground)).queries - before,
    idle,
  };
}
