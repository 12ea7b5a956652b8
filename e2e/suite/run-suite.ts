import { existsSync } from "node:fs";
import { relative } from "node:path";
import { createVitest } from "vitest/node";
import { recordDurations } from "./durations.ts";
import { repositoryRoot } from "./run-tool.ts";
import { SuiteReporter, type SuiteResult } from "./suite-reporter.ts";

/** Four workers make two cores busy, as two of them wait: for a page, a database, a connection that is found dead. */
const WORKERS = 4;

export interface SuiteOptions {
  /** Whether a file of the given path (from the repository's top) runs. */
  readonly includes: (file: string) => boolean;
  /** Only the tests whose name matches. */
  readonly name?: string | undefined;
  /** One file at a time, for what measures the machine itself. */
  readonly alone?: boolean;
  /** Write the durations of the files that ran into durations.json. */
  readonly records?: boolean;
}

/** Runs the chosen test files in one queue, in this process and its workers. */
export async function runSuite(options: SuiteOptions): Promise<SuiteResult> {
  const { includes, name, alone = false, records = false } = options;
  const reporter = new SuiteReporter(name !== undefined);
  const vitest = await createVitest({
    config: `${repositoryRoot}/e2e/vitest.config.ts`,
    watch: false,
    reporters: [reporter],
    maxWorkers: alone ? 1 : WORKERS,
    ...(name !== undefined && { testNamePattern: name }),
  });
  try {
    const all = await vitest.globTestSpecifications();
    const chosen = all.filter(({ moduleId }) => includes(relative(repositoryRoot, moduleId)));
    if (chosen.length === 0)
      return { passed: 0, failed: 1, failures: ["No test file matches."], durations: new Map() };
    await vitest.runTestSpecifications(chosen, false);
  } finally {
    await vitest.close();
  }
  const { result } = reporter;
  if (records) recordDurations(result.durations, (file) => existsSync(`${repositoryRoot}/${file}`));
  return result;
}
