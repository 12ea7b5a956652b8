import { runSeed } from "../provision/test-seed.ts";
import { readArguments, type SuiteArguments } from "./arguments.ts";
import { changedProofs } from "./changed-proofs.ts";
import { advisories, checks, provision } from "./checks.ts";
import { runSuite } from "./run-suite.ts";
import { Summary } from "./summary.ts";

const core = ["commands", "policy", "relay", "socket", "store/capture", "store/sweep", "views"];

const isTest = (file: string) => /\.test\.tsx?$/.test(file);
const isUnit = (file: string) => isTest(file) && /^(shared|client\/src)\//.test(file);
const isCore = (file: string) =>
  isTest(file) && core.some((path) => file.startsWith(`server/${path}`));

/** What `npm test` was asked to run. */
function selection({ options, words }: SuiteArguments): (file: string) => boolean {
  if (options.has("--quick")) return (file) => isUnit(file) || isCore(file);
  if (words.length > 0) return (file) => words.some((word) => file.includes(word));
  const proofs = changedProofs(runSeed);
  if (proofs.size > 0)
    process.stdout.write(`Beside the tests, as their folders changed: ${[...proofs].join(", ")}\n`);
  return (file) => isTest(file) || proofs.has(file);
}

/** Runs `npm test`; returns the exit code. */
export async function runTests(args: readonly string[]): Promise<number> {
  const request = readArguments(args, ["--quick", "--record"]);
  const summary = new Summary();
  process.stdout.write(`Seed ${runSeed}\n`);
  const isWhole = request.words.length === 0;
  if (isWhole) await summary.check(provision);
  const beside = isWhole
    ? [...checks, ...(request.options.has("--quick") ? [] : [advisories])]
    : [];
  const checking = (async () => {
    for (const check of beside) await summary.check(check);
  })();
  const records = request.options.has("--record");
  summary.add(await runSuite({ includes: selection(request), name: request.name, records }));
  await checking;
  return summary.print();
}
