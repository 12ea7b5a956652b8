import { execFile } from "node:child_process";
import type { CheckResult } from "./checks.ts";
import { repositoryRoot } from "./run-tool.ts";

const ANSWER_WITHIN_MS = 60_000;
const OUTPUT_MAX_BYTES = 16_777_216;
const args = ["audit", "--omit=dev", "--audit-level=high", "--json"];

/**
 * Known advisories against the packages that the product ships: one that is high or critical fails. If the
 * registry does not answer (a mirror, no network) nothing is counted as passed, and the summary says so.
 */
export async function auditPackages(): Promise<CheckResult> {
  return evaluateAudit(await npmAudit());
}

/** What npm's answer means; exported for its test. */
export function evaluateAudit(output: string): CheckResult {
  const counts = countsOf(output);
  if (!counts) return { outcome: "not checked", output: "the registry has no advisories" };
  const { high = 0, critical = 0 } = counts;
  const found = `${critical} critical, ${high} high`;
  return { outcome: high + critical > 0 ? "failed" : "passed", output: found };
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
