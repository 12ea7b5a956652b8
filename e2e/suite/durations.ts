import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";
import { repositoryRoot } from "./run-tool.ts";

/**
 * How long each test file took when `npm test -- --record` or `npm run proof -- --record` last ran on two idle cores, in
 * seconds of wall and of processor time. Committed, so that the first run on a machine starts the longest files first, and the parts
 * of the proof can be planned. A file that is not listed counts as long.
 */
export interface Duration {
  readonly wall: number;
  readonly cpu: number;
}

const path = `${repositoryRoot}/e2e/suite/durations.json`;
const UNKNOWN: Duration = { wall: 30, cpu: 10 };

function readDurations(): Record<string, Duration> {
  return JSON.parse(readFileSync(path, "utf8")) as Record<string, Duration>;
}

const known = readDurations();

/** The recorded duration of a test file, by its path from the repository's top. */
export function durationOf(file: string): Duration {
  return known[file] ?? UNKNOWN;
}

/** Records the files that ran; the others keep what they had, unless they no longer exist. */
export function recordDurations(
  ran: ReadonlyMap<string, Duration>,
  exists: (file: string) => boolean,
) {
  const all = { ...readDurations(), ...Object.fromEntries(ran) };
  const entries = Object.entries(all).filter(([file]) => exists(file));
  const lines = entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([file, { wall, cpu }]) =>
        `  ${JSON.stringify(file)}: { "wall": ${wall.toFixed(1)}, "cpu": ${cpu.toFixed(1)} }`,
    );
  writeFileSync(path, `{\n${lines.join(",\n")}\n}\n`);
}

/** Unit tests first, as they need no worker of their own; then the longest, because nothing would run beside a long last one. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const wall = ({ moduleId }: TestSpecification) =>
      durationOf(relative(repositoryRoot, moduleId)).wall;
    const isUnit = ({ project }: TestSpecification) => Number(project.name === "unit");
    return [...files].sort((a, b) => isUnit(b) - isUnit(a) || wall(b) - wall(a));
  }
}
