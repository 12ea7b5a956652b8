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

/** Milliseconds used by the processes and their children, ended ones included; null elsewhere. */
export function cpuTimeOf(pids: readonly number[]): number | null {
  try {
    const stats = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(statOf);
    const known = stats.filter((stat) => stat !== null);
    const matching = known.filter(
      ({ pid, fields }) => pids.includes(pid) || pids.includes(fields[PPID] ?? 0),
    );
    const ticks = matching.reduce((sum, { pid, fields }) => {
      const own = [USER_TIME, SYSTEM_TIME];
      const ended = [ENDED_CHILDREN_USER_TIME, ENDED_CHILDREN_SYSTEM_TIME];
      const counted = pids.includes(pid) ? [...own, ...ended] : own;
      return sum + counted.reduce((part, index) => part + (fields[index] ?? 0), 0);
    }, 0);
    return ticks * MS_PER_TICK;
  } catch {
    return null;
  }
}

/** The numbers of a process after its name, which may hold anything: `[state, ppid, …]`. */
function statOf(name: string): { pid: number; fields: number[] } | null {
  try {
    const text = readFileSync(`/proc/${name}/stat`, "utf8");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    return { pid: Number(name), fields };
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
