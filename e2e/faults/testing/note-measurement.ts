import { appendFileSync, mkdirSync } from "node:fs";
import { repositoryRoot } from "../../suite/run-tool.ts";

/** Notes a measured time in .cache/measurements.txt: it is a report, and no assertion depends on it. */
export function noteMeasurement(line: string): void {
  mkdirSync(`${repositoryRoot}/.cache`, { recursive: true });
  appendFileSync(
    `${repositoryRoot}/.cache/measurements.txt`,
    `${new Date().toISOString()} ${line}\n`,
  );
}
