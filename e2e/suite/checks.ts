import { provideChromium } from "../provision/chromium.ts";
import { redisProgram } from "../provision/redis.ts";
import { systemPostgresPrograms } from "../provision/system-postgres.ts";
import { sweepAbandoned } from "../provision/temp-folder.ts";
import { auditPackages } from "./audit.ts";
import { runTool } from "./run-tool.ts";

/** The result of what is not made of tests: it passes or fails as a whole, or could not be checked here. */
export interface CheckResult {
  readonly outcome: "passed" | "failed" | "not checked";
  /** What it printed, or why it could not be checked. */
  readonly output: string;
}

export interface Check {
  readonly name: string;
  run(): Promise<CheckResult>;
}

function tool(name: string, program: "biome" | "tsc", args: readonly string[]): Check {
  const run = async (): Promise<CheckResult> => {
    const { code, output } = await runTool(program, args);
    return { outcome: code === 0 ? "passed" : "failed", output };
  };
  return { name, run };
}

/** What is checked without running anything of the product; it runs beside the tests. */
export const checks: readonly Check[] = [
  tool("format and lint", "biome", ["check", "."]),
  // By default four checkers share the work, and each checks what all need: twice the processor time.
  tool("types", "tsc", ["-b", "--checkers", "1"]),
];

export const advisories: Check = { name: "advisories", run: auditPackages };

/** Finds or installs, before anything else, what tests need, so that a lack is reported at once. */
export const provision: Check = {
  name: "provision",
  run: async () => {
    sweepAbandoned();
    const lacks: string[] = [];
    for (const provide of [redisProgram, systemPostgresPrograms, provideChromium]) {
      await provide().catch((error: Error) => lacks.push(error.message));
    }
    return { outcome: lacks.length === 0 ? "passed" : "failed", output: lacks.join("\n") };
  },
};
