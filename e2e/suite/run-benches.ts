import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cleanUpAtExit, killNow } from "../provision/clean-up.ts";
import { repositoryRoot } from "./run-tool.ts";
import type { SuiteResult } from "./suite-reporter.ts";

/**
 * Benches as a part of the proof. Each ratio to its floor is compared with the stored one (bench/ratios.json): a result counts as failed
 * only where it is twice as bad, and a second run of the bench says so, too. `--record` stores the ratios of this run.
 */
const WORSE_BY = 2;
const path = `${repositoryRoot}/bench/ratios.json`;

type Ratios = Record<string, Record<string, number>>;

/** What is read of a finding (bench/load/report.ts). */
interface Measured {
  readonly what: string;
  /** Null without a floor. */
  readonly ratio: number | null;
  readonly target: { readonly most: number } | { readonly least: number } | null;
}

const readRatios = () => JSON.parse(readFileSync(path, "utf8")) as Ratios;

/** Runs the named benches; each bench counts as one. */
export async function runBenches(names: readonly string[], records: boolean): Promise<SuiteResult> {
  const failures: string[] = [];
  for (const name of names) {
    const failure = await runOne(name, records);
    process.stdout.write(`${failure ? "✗" : "✓"} bench ${name}\n`);
    if (failure) failures.push(failure);
  }
  const failed = failures.length;
  return { passed: names.length - failed, failed, failures, durations: new Map() };
}

async function runOne(name: string, records: boolean): Promise<string | undefined> {
  const first = await measure(name);
  if (!first) return `bench ${name} ended without a result`;
  for (const one of first) process.stdout.write(`    ${one.what}: ${ratioText(one)}\n`);
  if (records) store(name, first);
  const isWorse = (found: readonly Measured[]) => found.filter((one) => isTwiceAsBad(name, one));
  if (isWorse(first).length === 0) return undefined;
  const again = isWorse((await measure(name)) ?? first);
  const worse = again.filter(({ what }) => isWorse(first).some((one) => one.what === what));
  if (worse.length === 0) return undefined;
  const line = (one: Measured) =>
    `  ${one.what}: ${ratioText(one)}, stored ${readRatios()[name]?.[one.what]?.toFixed(2)} ×`;
  return [`bench ${name}, twice as bad as stored in two runs:`, ...worse.map(line)].join("\n");
}

const ratioText = ({ ratio }: Measured) => (ratio === null ? "no ratio" : `${ratio.toFixed(2)} ×`);

/** Of a finding without a target nobody said which direction is worse. */
function isTwiceAsBad(name: string, { what, ratio, target }: Measured): boolean {
  const stored = readRatios()[name]?.[what];
  if (!target || stored === undefined) return false;
  if (ratio === null) return true;
  return "most" in target ? ratio > stored * WORSE_BY : ratio < stored / WORSE_BY;
}

function store(name: string, found: readonly Measured[]): void {
  const ratios = Object.fromEntries(
    found.flatMap(({ what, ratio, target }) =>
      target && ratio !== null ? [[what, Number(ratio.toPrecision(3))]] : [],
    ),
  );
  writeFileSync(path, `${JSON.stringify({ ...readRatios(), [name]: ratios }, null, 2)}\n`);
}

function measure(name: string): Promise<readonly Measured[] | undefined> {
  const { WATCHFLOOR_PROOF: _, ...env } = process.env;
  const args = ["bench/main.ts", "--json", name];
  const child = spawn(process.execPath, args, {
    cwd: repositoryRoot,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const forget = cleanUpAtExit(() => killNow(child.pid, "SIGTERM"));
  const output: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => output.push(text));
  return new Promise((resolve) => {
    child.once("close", () => {
      forget();
      resolve(parse(output.join(""), name));
    });
  });
}

function parse(output: string, name: string): readonly Measured[] | undefined {
  try {
    return (JSON.parse(output) as { benches: Record<string, Measured[]> }).benches[name];
  } catch {
    return undefined;
  }
}
