import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { durationOf } from "./durations.ts";
import { isInPart, proofParts } from "./proof-parts.ts";
import { repositoryRoot } from "./run-tool.ts";

/**
 * Fine-grained tests (`*.proof.ts`) run in `npm run proof`. `npm test` runs those of the browser, too, whose folders changed within a
 * day. Each names its folders in its first line: `// Covers: client/src/features/grid client/src/sync`.
 */

/** About a minute of two cores. What does not fit waits for the proof. */
const BUDGET_CPU_S = 100;

/** The folders that a proof covers; an error if its first line does not say. */
export function coveredFolders(file: string): readonly string[] {
  const [first = ""] = readFileSync(`${repositoryRoot}/${file}`, "utf8").split("\n");
  const names = /^\/\/ Covers: (.+)$/.exec(first)?.[1];
  if (!names) throw new Error(`The first line of ${file} must be "// Covers: <folder> …".`);
  return names.split(" ");
}

/** All fine-grained tests, by their path from the repository's top. */
export function allProofs(): readonly string[] {
  const exclude = (name: string) => name === "node_modules";
  return globSync("{server,e2e,bench}/**/*.proof.ts", { cwd: repositoryRoot, exclude }).sort();
}

function git(...args: string[]): string {
  const options = { cwd: repositoryRoot, encoding: "utf8", stdio: "pipe" } as const;
  return execFileSync("git", args, options).trim();
}

/** The files that changed since the newest commit older than a day; none where that is not known, as in a copy without history. */
function changedFiles(): readonly string[] {
  try {
    const base = git("rev-list", "-1", "--before=1 day ago", "HEAD");
    if (!base) return [];
    return git("diff", "--name-only", base).split("\n");
  } catch {
    return [];
  }
}

/** The proofs of the folders that changed, as many as fit, but for those that measure the machine: beginning at another one in each run, so that each gets its turn. */
export function changedProofs(seed: number, changed = changedFiles()): ReadonlySet<string> {
  const concerns = (file: string) =>
    coveredFolders(file).some((folder) => changed.some((path) => path.startsWith(`${folder}/`)));
  const isAlone = (file: string) => proofParts.some((part) => part.alone && isInPart(part, file));
  const concerned = allProofs().filter(
    (file) => file.startsWith("e2e/browser/") && !isAlone(file) && concerns(file),
  );
  const first = Math.abs(seed) % Math.max(1, concerned.length);
  const chosen = new Set<string>();
  let cpu = 0;
  for (const file of [...concerned.slice(first), ...concerned.slice(0, first)]) {
    const needed = durationOf(file).cpu;
    if (cpu + needed > BUDGET_CPU_S) continue;
    cpu += needed;
    chosen.add(file);
  }
  return chosen;
}
