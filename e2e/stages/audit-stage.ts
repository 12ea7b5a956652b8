import { execFile } from "node:child_process";
import { repositoryRoot } from "./run-tool.ts";
import type { Stage, StageResult } from "./stage.ts";

const ANSWER_WITHIN_MS = 60_000;
const OUTPUT_MAX_BYTES = 16_777_216;
const args = ["audit", "--omit=dev", "--audit-level=high", "--json"];

/**
 * Known advisories against the packages that the product ships: one that is high or critical fails. If the
 * registry does not answer (a mirror, no network) nothing is counted as passed, and the summary says so.
 */
export const auditStage: Stage = {
  name: "advisories",
  run: async () => evaluateAudit(await npmAudit()),
};

/** What npm's answer means; exported for its test. */
export function evaluateAudit(output: string): StageResult {
  const counts = countsOf(output);
  if (!counts)
    return { passed: 0, failed: 0, remark: "not checked: the registry has no advisories" };
  const { high = 0, critical = 0 } = counts;
  const remark = `${critical} critical, ${high} high`;
  return high + critical > 0 ? { passed: 0, failed: 1, remark } : { passed: 1, failed: 0, remark };
}

function countsOf(output: string): Record<string, number> | null {
  try {
    return JSON.parse(output).metadata?.vulnerabilities ?? null;
  } catch {
    return null;
  }
}

/** npm exits with 1 for advisories and for failures alike: its output distinguishes them. */
function npmAudit(): Promise<string> {
  const options = {
    cwd: repositoryRoot,
    timeout: ANSWER_WITHIN_MS,
    maxBuffer: OUTPUT_MAX_BYTES,
    shell: process.platform === "win32",
  };
  return new Promise((resolve) => {
    execFile("npm", args, options, (_error, stdout) => resolve(stdout));
  });
}
