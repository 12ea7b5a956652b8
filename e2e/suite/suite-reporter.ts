import { stripVTControlCharacters } from "node:util";
import type { Reporter, SerializedError, TestModule, TestSpecification } from "vitest/node";
import type { Duration } from "./durations.ts";

/** What a run of test files came to. */
export interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
  /** What failed and why, one text each. */
  readonly failures: readonly string[];
  readonly durations: ReadonlyMap<string, Duration>;
}

/** Longer than any sentence of an assertion with its evidence, shorter than a page of the document that it was made on. */
const FAILURE_MAX_CHARS = 3_000;

const CAUSES_MAX = 3;

/** Of a failure that is printed at once; at the end it is printed whole. */
const EXCERPT_MAX_CHARS = 400;

/** An error with its causes, without colours, and without the test runner's own lines of the stack. */
function plain({ message, diff, stack, cause }: SerializedError & { diff?: string }): string {
  const place = (stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const own = place.filter((line) => !/node_modules|node:internal/.test(line));
  const causes: string[] = [];
  for (let one = cause; one && causes.length < CAUSES_MAX; one = one.cause)
    causes.push(`because of: ${one.code ?? one.name}: ${one.message}`);
  const text = [message, ...causes, ...(diff ? [diff] : []), ...own].join("\n");
  return stripVTControlCharacters(text).slice(0, FAILURE_MAX_CHARS);
}

/** Prints a line for each file as soon as it has ended, and on a terminal how far the run is; collects the failures. */
export class SuiteReporter implements Reporter {
  readonly #narrowed: boolean;
  readonly #durations = new Map<string, Duration>();
  readonly #failures: string[] = [];
  readonly #started = performance.now();
  #passed = 0;
  #failed = 0;
  #files = 0;
  #ended = 0;

  /** `narrowed`: the caller chose tests by name, so that the others are not counted. */
  constructor(narrowed: boolean) {
    this.#narrowed = narrowed;
  }

  get result(): SuiteResult {
    const [passed, failed, failures] = [this.#passed, this.#failed, this.#failures];
    return { passed, failed, failures, durations: this.#durations };
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length;
  }

  onTestModuleEnd(module: TestModule): void {
    this.#ended += 1;
    const failures = this.#failuresOf(module);
    const passed = [...module.children.allTests("passed")].length;
    this.#passed += passed;
    this.#failed += failures.length;
    this.#failures.push(...failures);
    const { duration, collectDuration, setupDuration } = module.diagnostic();
    const wall = (duration + collectDuration + setupDuration) / 1_000;
    const cpu = module.meta().cpuSeconds ?? 0;
    this.#durations.set(module.relativeModuleId, { wall, cpu });
    this.#printLine(module, { passed, failed: failures.length, wall, cpu });
    for (const failure of failures)
      process.stdout.write(`  ${failure.slice(0, EXCERPT_MAX_CHARS)}\n`);
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    for (const error of errors) {
      this.#failed += 1;
      this.#failures.push(`(outside of tests)\n${plain(error)}`);
    }
    if (process.stdout.isTTY) process.stdout.write("\r\x1b[K");
  }

  /**
   * Each failed test with its error, and a file that failed as a whole. A skipped test counts as failed, because a test that is not run
   * proves nothing, unless the caller chose tests by name.
   */
  #failuresOf(module: TestModule): string[] {
    const failure = (name: string, errors: readonly SerializedError[]) =>
      `${module.relativeModuleId} > ${name}\n${errors.map(plain).join("\n")}`;
    const tests = [...module.children.allTests("failed")].map((test) =>
      failure(test.fullName, test.result().errors ?? []),
    );
    const suites = [...module.children.allSuites()].filter((suite) => suite.errors().length > 0);
    const hooks = suites.map((suite) => failure(suite.fullName, suite.errors()));
    const whole = module.errors().length > 0 ? [failure("(the whole file)", module.errors())] : [];
    const skipped = this.#narrowed ? [] : [...module.children.allTests("skipped")];
    return [
      ...whole,
      ...hooks,
      ...tests,
      ...skipped.map((test) => failure(`${test.fullName} (skipped)`, [])),
    ];
  }

  #printLine(module: TestModule, of: Duration & { passed: number; failed: number }): void {
    const { isTTY } = process.stdout;
    const mark = of.failed === 0 ? "✓" : "✗";
    const counts = of.failed === 0 ? `${of.passed}` : `${of.passed} passed, ${of.failed} FAILED`;
    const times = `${of.wall.toFixed(1).padStart(6)} s ${of.cpu.toFixed(1).padStart(6)} core-s`;
    const line = `${mark}${times}  ${module.relativeModuleId} (${counts})`;
    process.stdout.write(isTTY ? `\r\x1b[K${line}\n` : `${line}\n`);
    if (isTTY) this.#printCounter();
  }

  #printCounter(): void {
    const seconds = ((performance.now() - this.#started) / 1_000).toFixed(0);
    process.stdout.write(
      `${this.#ended} of ${this.#files} files, ${this.#failed} failed, ${seconds} s`,
    );
  }
}
