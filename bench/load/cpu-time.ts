import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * CPU time of processes, if the machine reports it (Linux). Measured beside elapsed time, which depends on
 * other load.
 */
const MS_PER_TICK = 10;
const PPID = 1;
const USER_TIME = 11;
const SYSTEM_TIME = 12;
const ENDED_CHILDREN_USER_TIME = 13;
const ENDED_CHILDREN_SYSTEM_TIME = 14;

const own = [USER_TIME, SYSTEM_TIME];
const withEndedChildren = [...own, ENDED_CHILDREN_USER_TIME, ENDED_CHILDREN_SYSTEM_TIME];

/**
 * Milliseconds used by the processes and their children, ended ones included; null elsewhere. A child that ends counts for
 * its parent from then on: if one ended meanwhile, everything is read again without it.
 */
export function cpuTimeOf(pids: readonly number[]): number | null {
  try {
    let children = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => !pids.includes(pid) && pids.includes(statOf(pid)?.[PPID] ?? 0));
    for (;;) {
      const ticks = sum([
        ...pids.map((pid) => ticksOf(pid, withEndedChildren)),
        ...children.map((pid) => ticksOf(pid, own)),
      ]);
      const left = children.filter((pid) => statOf(pid) !== null);
      if (left.length === children.length) return ticks * MS_PER_TICK;
      children = left;
    }
  } catch {
    return null;
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

function ticksOf(pid: number, indexes: readonly number[]): number {
  const stat = statOf(pid) ?? [];
  return sum(indexes.map((index) => stat[index] ?? 0));
}

/** The numbers of a process after its name, which may hold anything: `[state, ppid, …]`; null if there is none. */
function statOf(pid: number): number[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
  } catch {
    return null;
  }
}

const IDLE_MS_PER_SECOND = 60;
const IDLE_SECONDS = 2;
const WAIT_MAX_SECONDS = 60;

/**
 * Waits until the processes are idle, at most a minute: what was written before is relayed, and the tables are vacuumed.
 * Does not wait where the machine does not report CPU time.
 */
export async function untilIdle(pids: readonly number[]): Promise<void> {
  let idle = 0;
  for (let second = 0; second < WAIT_MAX_SECONDS && idle < IDLE_SECONDS; second += 1) {
    const before = cpuTimeOf(pids);
    if (before === null) return;
    await sleep(1_000);
    const used = (cpuTimeOf(pids) ?? before) - before;
    idle = used <= IDLE_MS_PER_SECOND ? idle + 1 : 0;
  }
}
