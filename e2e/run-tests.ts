import { prepareEnvironment } from "./suite/prepare-environment.ts";

/**
 * `npm test`: the checks, and beside them every `*.test.ts` in its short form; then of the fine-grained `*.proof.ts` those whose folder
 * changed in the last day, for four minutes at most. `npm test -- --quick` runs the checks, the unit tests and the server's core, and
 * `npm test -- <word> … [-t <name>]` the test files whose path contains one of the words, `*.proof.ts` too.
 * The last line counts what passed and failed.
 */
prepareEnvironment({ isProof: process.env.WATCHFLOOR_PROOF === "1" });
const { runTests } = await import("./suite/run-tests.ts");
process.exitCode = await runTests(process.argv.slice(2));
