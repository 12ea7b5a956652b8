import { availableParallelism } from "node:os";
import { runSeed } from "../provision/test-seed.ts";
import type { Check, CheckResult } from "./checks.ts";
import { machineCpuSeconds } from "./process-cpu.ts";
import type { SuiteResult } from "./suite-reporter.ts";

const DEAREST_FILES = 20;

/** Collects what a whole run came to, and prints it: the failures first and whole, then the costs, the counts as the last line. */
export class Summary {
  readonly #started = performance.now();
  readonly #cpuAtStart = machineCpuSeconds();
  readonly #failures: string[] = [];
  readonly #lines: string[] = [];
  readonly #suites: SuiteResult[] = [];
  #passed = 0;
  #failed = 0;

  async check(check: Check): Promise<CheckResult> {
    const started = performance.now();
    const result = await check.run();
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const mark = { passed: "✓", failed: "✗", "not checked": "–" }[result.outcome];
    const remark = result.outcome === "not checked" ? ` (not checked: ${result.output})` : "";
    const line = `${mark} ${check.name} in ${seconds} s${remark}`;
    process.stdout.write(`${line}\n`);
    this.#lines.push(line);
    if (result.outcome === "passed") this.#passed += 1;
    if (result.outcome === "failed") {
      this.#failed += 1;
      this.#failures.push(`${check.name}\n${result.output}`);
    }
    return result;
  }

  add(suite: SuiteResult): void {
    this.#suites.push(suite);
    this.#passed += suite.passed;
    this.#failed += suite.failed;
    this.#failures.push(...suite.failures);
  }

  /** Prints it; returns the exit code. */
  print(): number {
    const seconds = (performance.now() - this.#started) / 1_000;
    const cpu = machineCpuSeconds() - this.#cpuAtStart;
    const use = (100 * cpu) / (seconds * availableParallelism());
    const lines = [
      ...this.#failures.map((failure) => `\n✗ ${failure}`),
      "",
      ...this.#dearest(),
      ...this.#lines,
      `Seed ${runSeed} · ${seconds.toFixed(0)} s · ${cpu.toFixed(0)} core-s of the machine, ${use.toFixed(0)} % of its cores`,
      `${this.#passed} passed, ${this.#failed} failed`,
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
    return this.#failed === 0 && this.#passed > 0 ? 0 : 1;
  }

  #dearest(): string[] {
    const files = this.#suites.flatMap(({ durations }) => [...durations]);
    if (files.length <= DEAREST_FILES) return [];
    const dearest = files.sort(([, a], [, b]) => b.cpu - a.cpu).slice(0, DEAREST_FILES);
    const line = ([file, { wall, cpu }]: (typeof files)[number]) =>
      `${cpu.toFixed(1).padStart(7)} core-s ${wall.toFixed(1).padStart(7)} s  ${file}`;
    return [
      "The dearest files, without what they use of the shared databases:",
      ...dearest.map(line),
      "",
    ];
  }
}
