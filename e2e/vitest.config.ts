import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * All tests of the repository. `unit` needs nothing; the others share one embedded Postgres, one of the
 * system's and one Redis, and run as many files at a time as keep two cores busy. A file that measures the
 * machine itself would measure its neighbours: it runs alone, after the others.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** Bounds only for what hangs: a slow machine is not a fault. */
const patience = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
};
const seededProperties = here("harness/seeded-properties.ts");
const shared = {
  ...patience,
  globalSetup: [here("provision/global-setup.ts")],
  setupFiles: [here("harness/cheap-passwords.ts"), seededProperties],
  maxWorkers: 2,
  // Node imports the files itself, from its compile cache.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // A worker loads a module once and not for each file, so a test leaves nothing behind in a module or in the process.
  isolate: false,
  // The servers that tests start are compiled once, and not by each of them, as run.mjs sees to for all commands.
  env: { NODE_COMPILE_CACHE: here("../.cache/compiled") },
};
const inBrowser = {
  ...shared,
  globalSetup: [...shared.globalSetup, here("browser/testing/built-client.ts")],
};
const alone = ["e2e/browser/grid-performance.test.ts"];
const never = ["**/node_modules/**", "client/dist/**", ".cache/**"];

/**
 * A file that takes long must not be the last, which nothing runs beside. Without the times of a run before, size is used
 * instead; but tests in e2e start servers, and take long however short they are.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { true: withServers = [], false: others = [] } = Object.groupBy(
      await super.sort(files),
      ({ moduleId }) => String(moduleId.startsWith(here("."))),
    );
    return [...withServers, ...others];
  }
}

export default defineConfig({
  root,
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "unit",
          root,
          include: ["shared/**/*.test.ts", "client/src/**/*.test.{ts,tsx}"],
          exclude: never,
          ...patience,
          setupFiles: [seededProperties],
          maxWorkers: 2,
          // Pure code that shares nothing: a module is loaded once and not for each file.
          isolate: false,
        },
      },
      {
        test: {
          name: "integration",
          root,
          include: ["server/**/*.test.ts", "e2e/**/*.test.ts", "bench/**/*.test.ts"],
          exclude: [...never, "e2e/convergence/**", "e2e/browser/**"],
          ...shared,
          // A third of its time is waiting: for connections that are found dead, for servers that come back.
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "convergence",
          root,
          include: ["e2e/convergence/**/*.test.ts"],
          exclude: never,
          ...shared,
          testTimeout: 600_000,
        },
      },
      {
        test: {
          name: "browser",
          root,
          include: ["e2e/browser/**/*.test.ts"],
          exclude: [...never, ...alone],
          ...inBrowser,
        },
      },
      {
        test: {
          name: "browser-alone",
          root,
          include: alone,
          exclude: never,
          ...inBrowser,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
