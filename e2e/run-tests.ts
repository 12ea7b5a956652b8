import { auditStage } from "./stages/audit-stage.ts";
import { checkStage } from "./stages/check-stage.ts";
import { provisionStage } from "./stages/provision-stage.ts";
import type { Stage, StageResult } from "./stages/stage.ts";
import { vitestStage } from "./stages/vitest-stage.ts";

/**
 * `npm test`: every stage, one after the other, also when one failed; a line for each; then what failed,
 * and the sum as the last line. `npm test -- <path …>` runs only the test files whose path contains one of the words.
 */
const everything: readonly Stage[] = [
  checkStage("format", "biome", ["format", "."]),
  checkStage("lint", "biome", ["check", "--formatter-enabled=false", "."]),
  checkStage("types", "tsc", ["-b"]),
  auditStage,
  vitestStage("unit", ["unit"]),
  provisionStage,
  vitestStage("integration", ["integration"]),
  vitestStage("convergence", ["convergence"]),
  vitestStage("browser", ["browser", "browser-alone"]),
];

async function runStage(stage: Stage): Promise<{ line: string; result: StageResult }> {
  process.stdout.write(`\n── ${stage.name}\n`);
  const started = performance.now();
  const result = await stage.run();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const mark = result.failed === 0 ? "✓" : "✗";
  const counts = `${result.passed} passed, ${result.failed} failed`;
  return { line: `${mark} ${stage.name.padEnd(12)} ${counts} in ${seconds} s`, result };
}

const filters = process.argv.slice(2);
const stages = filters.length > 0 ? [vitestStage("tests", [], filters)] : everything;
const lines: string[] = [];
const failures: string[] = [];
let passed = 0;
let failed = 0;
for (const stage of stages) {
  const { line, result } = await runStage(stage);
  process.stdout.write(`${line}\n`);
  lines.push(line);
  failures.push(...(result.failures ?? []));
  passed += result.passed;
  failed += result.failed;
}
for (const failure of failures) process.stdout.write(`\n✗ ${failure}\n`);
process.stdout.write(`\n${lines.join("\n")}\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
