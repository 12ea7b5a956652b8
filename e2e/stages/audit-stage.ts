import { execFile } from "node:child_process";
import { repositoryRoot } from "./run-tool.ts";
import type { Stage, StageResult } from "./stage.ts";

const ANSWER_WITHIN_MS = 60_000;
const OUTPUT_MAX_BYTES = 16_777_216;
const args = ["audit", "--omit=dev", "--audit-level=high", "--json"];

/**
 * Known advisories against the packages that the product ships: one that is high or critical fails.
 * Where the registry has none to tell (a mirror, no network) the stage passes and says so.
 */
export const auditStage: Stage = {
  name: "advisories",
  run: async () => judgeAudit(await npmAudit()),
};

/** What npm's answer means; exported for its test. */
export function judgeAudit(output: string): StageResult {
  const counts = countsOf(output);
  if (!counts) {
    process.stdout.write("The registry tells of no advisories here: not checked.\n");
    return { passed: 1, failed: 0 };
  }
  const { high = 0, critical = 0 } = counts;
  process.stdout.write(`Known advisories: ${critical} critical, ${high} high.\n`);
  return high + critical > 0 ? { passed: 0, failed: 1 } : { passed: 1, failed: 0 };
}

function countsOf(output: string): Record<string, number> | null {
  try {
    return JSON.parse(output).metadata?.vulnerabilities ?? null;
  } catch {
    return null;
  }
}

/** npm exits with 1 for advisories and for failures alike: its output tells which. */
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
