import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./suite/durations.ts";

/**
 * All tests of the repository, in one queue: `unit` needs nothing, `suite` shares two Postgres, one Redis and, for each worker, one
 * Chromium. What runs of it, and how, is chosen by suite/run-suite.ts.
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
const never = ["**/node_modules/**", "client/dist/**", ".cache/**"];
/**
 * A worker loads a module once and not for each file, so a test leaves nothing behind in a module or in the process. What it logs is printed by
 * the worker: passed on as a message, a line that comes while the worker ends is an error of the run.
 */
const shared = { root, ...patience, exclude: never, isolate: false, disableConsoleIntercept: true };

export default defineConfig({
  root,
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["shared/**/*.test.ts", "client/src/**/*.test.{ts,tsx}"],
          runner: here("suite/suite-runner.ts"),
          setupFiles: [seededProperties],
        },
      },
      {
        test: {
          ...shared,
          name: "suite",
          include: ["{server,e2e,bench,client/package}/**/*.{test,proof}.ts"],
          globalSetup: [here("provision/global-setup.ts"), here("browser/testing/built-client.ts")],
          runner: here("suite/suite-runner.ts"),
          setupFiles: [here("harness/cheap-passwords.ts"), seededProperties],
          // Node imports the files itself, from its compile cache.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          // The servers that tests start are compiled once, and not by each of them, as run.mjs sees to for all commands.
          env: { NODE_COMPILE_CACHE: here("../.cache/compiled") },
        },
      },
    ],
  },
});
