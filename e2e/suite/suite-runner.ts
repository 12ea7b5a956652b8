import {
  type RunnerTask,
  type RunnerTestCase,
  type RunnerTestFile,
  type RunnerTestSuite,
  TestRunner,
  vi,
} from "vitest";
import { treeCpuSeconds } from "./process-cpu.ts";

const COMPLAINTS_SHOWN = 5;

declare module "vitest" {
  interface TaskMeta {
    /** Of a file: the processor time of its worker and the programs that it started, in seconds. */
    cpuSeconds?: number;
  }
}

/**
 * Runs the tests of one file in a worker. Beyond vitest's own runner it measures the processor time of the file, fails a test whose pages
 * logged errors, keeps evidence of what failed (evidence.ts), and afterwards brings the pages of browser tests back on line. The next file of
 * the worker finds the clock, the globals and the environment as they are, whatever this one has put in their place and however it ended.
 */
export default class SuiteRunner extends TestRunner {
  #cpuAtStart = 0;

  override onCollectStart(file: RunnerTestFile): void {
    this.#cpuAtStart = treeCpuSeconds();
    super.onCollectStart(file);
  }

  /** The file itself is the outermost suite; what is noted before its end is reported with it. */
  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite);
    if (suite.file !== suite) return;
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
    if (usesBrowser(suite.file)) {
      const { closePages } = await import("./evidence.ts");
      await closePages();
    }
    suite.meta.cpuSeconds = treeCpuSeconds() - this.#cpuAtStart;
  }

  /** An error in a page fails the test in which it happened. Files without a browser do not load its modules. */
  override async onAfterTryTask(test: RunnerTestCase): Promise<void> {
    super.onAfterTryTask(test);
    if (!usesBrowser(test.file)) return;
    const { takeComplaints } = await import("./evidence.ts");
    const complaints = takeComplaints();
    if (complaints.length > 0)
      throw new Error(`A page logged errors:\n${complaints.slice(0, COMPLAINTS_SHOWN).join("\n")}`);
  }

  /** Called before the test's own `afterEach`, while its pages still show what failed. */
  async onTaskFinished(test: RunnerTask): Promise<void> {
    if (test.result?.state !== "fail") return;
    const { saveEvidence } = await import("./evidence.ts");
    const lines = await saveEvidence(test.name);
    const [error] = test.result.errors ?? [];
    if (error && lines.length > 0) error.message += `\n${lines.join("\n")}`;
  }

  override async onAfterRetryTask(
    test: RunnerTestCase,
    options: { retry: number; repeats: number },
  ) {
    await super.onAfterRetryTask(test, options);
    if (test.result?.state !== "fail") return;
    const { openPages } = await import("./evidence.ts");
    for (const page of openPages()) {
      await page
        .context()
        .setOffline(false)
        .catch(() => {});
      await page.unrouteAll({ behavior: "ignoreErrors" }).catch(() => {});
    }
  }
}

function usesBrowser({ name }: RunnerTestFile): boolean {
  return /^e2e\/(?:browser|client-package)\//.test(name);
}
