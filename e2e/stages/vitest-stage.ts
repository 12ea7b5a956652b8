import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { tempFolder } from "../provision/temp-folder.ts";
import { repositoryRoot, runTool } from "./run-tool.ts";
import type { Stage, StageResult, Write } from "./stage.ts";

/** The parts of vitest's JSON report that matter here. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly FileReport[];
}

interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages: readonly string[];
  }[];
}

/** Longer than any sentence of an assertion, shorter than a page of the document that it was made on. */
const FAILURE_MAX_CHARS = 1_500;

async function readReport(path: string): Promise<Report> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Report;
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [] };
  }
}

/** An error without colours, and without the test runner's own lines of the stack. */
function plain(error: string): string {
  const lines = stripVTControlCharacters(error).split("\n");
  return lines.filter((line) => !line.includes("/node_modules/")).join("\n");
}

/** Each failed test with its file and its error; a file that failed as a whole with the file's. */
function failuresOf(report: Report): string[] {
  const failure = (file: string, name: string, error: string) =>
    `${relative(repositoryRoot, file)} > ${name}\n${plain(error)}`.slice(0, FAILURE_MAX_CHARS);
  return report.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0 && file.status === "failed") {
      return [failure(file.name, "(the whole file)", file.message)];
    }
    return failed.map((test) => failure(file.name, test.fullName, test.failureMessages.join("\n")));
  });
}

/**
 * A skipped test counts as failed, unless the caller narrowed the run by a test's name, because a test that
 * is not run proves nothing. So does a run that ends badly without a failed test (a file that can't be
 * loaded).
 */
function resultOf(report: Report, code: number, narrowed: boolean): StageResult {
  const skipped = narrowed ? 0 : report.numPendingTests;
  const failed = report.numFailedTests + skipped;
  return {
    passed: report.numPassedTests,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    failures: failuresOf(report),
    ...(skipped > 0 && { remark: `${skipped} skipped, which counts as failed` }),
  };
}

/** Runs vitest on the named projects (all when none), with further arguments of the caller. */
export function vitestStage(
  name: string,
  projects: readonly string[],
  more: readonly string[] = [],
): Stage {
  const run = async (write: Write) => {
    const folder = await tempFolder();
    const file = join(folder.path, "report.json");
    const selection = projects.flatMap((project) => ["--project", project]);
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    const fixed = ["run", "--config", "e2e/vitest.config.ts"];
    const code = await runTool("vitest", [...fixed, ...reporters, ...selection, ...more], write);
    const report = await readReport(file);
    folder.drop();
    return resultOf(report, code, more.includes("-t"));
  };
  return { name, run };
}
