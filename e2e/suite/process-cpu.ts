import { readdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";

/** Linux counts processor time in hundredths of a second for every program. */
const TICKS_PER_SECOND = 100;

interface ProcessTime {
  readonly parent: number;
  readonly seconds: number;
}

/** One process with its ended children, or nothing if it has ended meanwhile. */
function readProcess(pid: string): ProcessTime | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return undefined;
  }
}

/**
 * The processor time in seconds of a process and all its descendants, also of those that have ended and were waited for. Only on
 * Linux; elsewhere 0. What the process merely uses (the shared Postgres) is not included.
 */
export function treeCpuSeconds(root = process.pid): number {
  if (process.platform !== "linux") return 0;
  const all = new Map<number, ProcessTime>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const found = readProcess(name);
    if (found) all.set(Number(name), found);
  }
  const isBelow = (pid: number): boolean => {
    for (let at: number | undefined = pid; at; at = all.get(at)?.parent)
      if (at === root) return true;
    return false;
  };
  let seconds = 0;
  for (const [pid, time] of all) if (isBelow(pid)) seconds += time.seconds;
  return seconds;
}

/** The processor time in seconds that all cores of the machine have spent working since it started. */
export function machineCpuSeconds(): number {
  const busy = cpus().map(({ times }) => times.user + times.nice + times.sys + times.irq);
  return busy.reduce((sum, ms) => sum + ms, 0) / 1_000;
}
