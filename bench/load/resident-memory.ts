import { readFileSync } from "node:fs";

/** Memory of processes in MiB; NaN if the machine does not report it. */
export function residentMiBOf(pids: readonly number[]): number {
  try {
    const kib = pids.map(
      (pid) => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1],
    );
    return kib.reduce((sum, one) => sum + Number(one) / 1_024, 0);
  } catch {
    return Number.NaN;
  }
}
