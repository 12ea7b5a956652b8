import { execFileSync } from "node:child_process";
import { readArguments } from "./arguments.ts";
import { provision } from "./checks.ts";
import { isInPart, type ProofPart, proofParts } from "./proof-parts.ts";
import { runBenches } from "./run-benches.ts";
import { runSuite } from "./run-suite.ts";
import { repositoryRoot } from "./run-tool.ts";
import type { SuiteResult } from "./suite-reporter.ts";
import { Summary } from "./summary.ts";

/** The part whose turn it is. */
function nextPart(): ProofPart {
  const options = { cwd: repositoryRoot, encoding: "utf8" } as const;
  const commits = Number(execFileSync("git", ["rev-list", "--count", "HEAD"], options));
  const parts = proofParts.filter((part) => part.openFault === undefined);
  return parts[commits % parts.length] as ProofPart;
}

function runPart(part: ProofPart, records: boolean): Promise<SuiteResult> {
  if (part.benches) return runBenches(part.benches, records);
  const includes = (file: string) => isInPart(part, file);
  return runSuite({ includes, name: part.tests, alone: part.alone ?? false, records });
}

/** Runs the parts one after the other; returns the exit code. */
export async function runProof(args: readonly string[]): Promise<number> {
  const { options, words, name } = readArguments(args, ["--list", "--next", "--record"]);
  if (options.has("--list")) {
    for (const { name, about, openFault } of proofParts) {
      const fault = openFault ? ` (not in turn: ${openFault})` : "";
      process.stdout.write(`${name.padEnd(20)} ${about}${fault}\n`);
    }
    return 0;
  }
  const summary = new Summary();
  await summary.check(provision);
  const records = options.has("--record");
  const named = proofParts.filter((part) => words.includes(part.name));
  const unknown = words.find((word) => !named.some((part) => part.name === word));
  if (named.length > 0 && unknown !== undefined) throw new Error(`There is no part ${unknown}.`);
  if (unknown !== undefined) {
    const includes = (file: string) => words.some((word) => file.includes(word));
    summary.add(await runSuite({ includes, name, records }));
    return summary.print();
  }
  for (const part of options.has("--next") ? [nextPart()] : words.length > 0 ? named : proofParts) {
    process.stdout.write(`\n── ${part.name}: ${part.about}\n`);
    summary.add(await runPart(part, records));
  }
  return summary.print();
}
