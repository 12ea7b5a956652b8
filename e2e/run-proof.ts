import { prepareEnvironment } from "./suite/prepare-environment.ts";

/**
 * `npm run proof`: what is too long for `npm test`, in parts of at most 30 minutes (suite/proof-parts.ts), each of which also runs by itself:
 * `npm run proof -- <part> …`. `--list` prints them, and `--next` runs the one whose turn it is by the number of commits, as CI does.
 * `npm run proof -- <word> …` runs the long form of the test files whose path contains one of the words.
 */
prepareEnvironment({ isProof: true });
const { runProof } = await import("./suite/run-proof.ts");
process.exitCode = await runProof(process.argv.slice(2));
