import { auditStage } from "./stages/audit-stage.ts";
import { checkStage } from "./stages/check-stage.ts";
import { provisionStage } from "./stages/provision-stage.ts";
import type { Stage, StageResult } from "./stages/stage.ts";
import { vitestStage } from "./stages/vitest-stage.ts";

/**
 * `npm test`: every stage, also when one failed; a line for each; then the failures, and the total as the
 * last line. `npm test -- --quick` runs the checks, the unit tests and the server's core, for small changes.
 * `npm test -- <path …>` runs only the test files whose path contains one of the words.
 */

/** Steps follow each other; the lanes of a step run side by side; the stages of a lane follow each other. */
type Plan = readonly (readonly (readonly Stage[])[])[];

const checks: readonly Stage[] = [
  checkStage("format", "biome", ["format", "."]),
  checkStage("lint", "biome", ["check", "--formatter-enabled=false", "."]),
  // By default four checkers share the work, and each checks what all need: twice the processor time.
  checkStage("types", "tsc", ["-b", "--checkers", "1"]),
];
const unit = vitestStage("unit", ["unit"]);
const alone = (stage: Stage) => [[stage]];

/** Much of a browser test is waiting, so it fills the pauses of the others. */
const everything: Plan = [
  [checks, [provisionStage, auditStage], [unit]],
  [
    [vitestStage("integration", ["integration"])],
    [vitestStage("browser", ["browser"]), vitestStage("convergence", ["convergence"])],
  ],
  alone(vitestStage("browser, alone", ["browser-alone"])),
];

const core = ["commands", "policy", "relay", "socket", "store/capture", "store/sweep", "views"];
const quick: Plan = [
  [checks, [provisionStage], [unit]],
  alone(
    vitestStage(
      "core",
      ["integration"],
      core.map((path) => `server/${path}`),
    ),
  ),
];

const lines: string[] = [];
const failures: string[] = [];
let passed = 0;
let failed = 0;

/** A stage that runs beside others buffers its output until it has ended; one that runs alone prints at once. */
async function runStage(stage: Stage, isAlone: boolean): Promise<void> {
  const title = `\n── ${stage.name}\n`;
  const output: string[] = [];
  const started = performance.now();
  if (isAlone) process.stdout.write(title);
  const result = await stage.run((text) => {
    if (isAlone) process.stdout.write(text);
    else output.push(text);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (!isAlone) process.stdout.write(title + output.join(""));
  report(stage.name, result, seconds);
}

function report(name: string, result: StageResult, seconds: string): void {
  const mark = result.failed === 0 ? "✓" : "✗";
  const counts = `${result.passed} passed, ${result.failed} failed`;
  const remark = result.remark ? ` (${result.remark})` : "";
  const line = `${mark} ${name.padEnd(14)} ${counts} in ${seconds} s${remark}`;
  process.stdout.write(`${line}\n`);
  lines.push(line);
  failures.push(...(result.failures ?? []));
  passed += result.passed;
  failed += result.failed;
}

async function runLane(lane: readonly Stage[], isAlone: boolean): Promise<void> {
  for (const stage of lane) await runStage(stage, isAlone);
}

const args = process.argv.slice(2);
const isQuick = args.includes("--quick");
const named: Plan = [alone(vitestStage("tests", [], args))];
const plan = isQuick ? quick : args.length > 0 ? named : everything;
for (const lanes of plan) {
  await Promise.all(lanes.map((lane) => runLane(lane, lanes.length === 1)));
}
for (const failure of failures) process.stdout.write(`\n✗ ${failure}\n`);
process.stdout.write(`\n${lines.join("\n")}\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
