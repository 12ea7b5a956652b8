import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { DraftImport, ImportReport } from "../../shared/protocol/imports.ts";
import { defineCommand, resolveFromCallerFolder } from "../terminal/command.ts";
import { UsageError } from "../terminal/server-call.ts";
import { type ImportOptions, options, readCliCall, usage } from "./cli-arguments.ts";
import { upload, uploadDraft } from "./upload.ts";

/** `watchfloor import`: imports a CSV file into a table of a running server. */

const PRINTED_ERRORS_MAX = 20;

function existing(file: string): string {
  const there = resolveFromCallerFolder(file);
  const path = existsSync(there) ? there : resolve(file);
  if (!existsSync(path)) throw new UsageError(`There is no file ${file}.`);
  return path;
}

function showProgress(sent: number, total: number): void {
  if (!process.stderr.isTTY) return;
  const percent = total ? Math.floor((sent / total) * 100) : 100;
  process.stderr.write(`\r${percent} % sent`);
}

function describeRows(report: ImportReport | DraftImport): string[] {
  const { errors, errorTotal } = report;
  const shown = errors.slice(0, PRINTED_ERRORS_MAX);
  const rest = errorTotal - shown.length;
  return [
    ...shown.map(({ line, field, rule, code, message }) =>
      [`line ${line}`, field, rule ?? code, message].filter(Boolean).join(" · "),
    ),
    ...(rest > 0 ? [`… and ${rest} more errors`] : []),
    ...(report.ignored.length ? [`columns left out: ${report.ignored.join(", ")}`] : []),
  ];
}

function describe(report: ImportReport, url: string): string {
  const { dryRun, rows, created, updated, unchanged, failed, changeSet } = report;
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed`;
  const note = dryRun ? "dry run, nothing changed: " : "";
  const next = changeSet === null ? [] : [`Rejected rows and revert: ${url}/changes/${changeSet}`];
  return [...describeRows(report), `${note}${rows} rows: ${counts}`, ...next].join("\n");
}

function describeDraft(report: DraftImport, address: string): string {
  const { rows, created, updated, unchanged, superseded, failed } = report;
  const counts = `${created} to create, ${updated} to update, ${unchanged} unchanged, ${superseded} superseded, ${failed} rejected`;
  const next = `Preview and apply: ${address}`;
  return [...describeRows(report), `draft, nothing changed: ${rows} rows: ${counts}`, next].join(
    "\n",
  );
}

async function run(given: ImportOptions): Promise<number> {
  const call = readCliCall(given, process.env);
  const path = existing(call.file);
  const rejects = call.rejects && resolveFromCallerFolder(call.rejects);
  const options = { rejects, progress: showProgress };
  if (call.isDraft) {
    const { id, report, problem } = await uploadDraft(call, path, options);
    return print(describeDraft(report, `${call.url}/changes/${id}`), report, problem);
  }
  const { report, problem } = await upload(call, path, options);
  return print(describe(report, call.url), report, problem);
}

/** Returns the exit status. */
function print(
  text: string,
  { failed }: ImportReport | DraftImport,
  problem: string | null,
): number {
  if (process.stderr.isTTY) process.stderr.write("\r");
  console.log(text);
  if (problem !== null) console.error(problem);
  return failed > 0 ? 1 : 0;
}

export const command = defineCommand({ usage, options, maxArguments: 1, run });
