import { createReadStream, existsSync } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { Readable } from "node:stream";
import type { DraftImport, ImportReport } from "../../../shared/protocol/imports.ts";
import { defineCommand, type Parsed, resolveFromCallerFolder } from "../command.ts";
import { printable } from "../print-table.ts";
import { send } from "../rest-call.ts";
import {
  CLEAN_UP_TIMEOUT_MS,
  readServerCall,
  type ServerCall,
  serverOptions,
  serverUsage,
  UsageError,
  withServer,
} from "../server-call.ts";

/** `watchfloor import`: sends a CSV file to a running server, which imports it into a table. Nothing of it is read here. */

/** The arguments of the command, checked. */
interface CliCall extends ServerCall {
  table: string;
  file: string;
  /** The file becomes the draft of a change set, and nothing is applied. */
  isDraft: boolean;
  /** Where rejected rows are written. */
  rejects: string | null;
  /** The options, as the REST call takes them. */
  query: Record<string, string>;
}

const usage = `watchfloor import --table <table> [options] <file.csv>

  --map "header=field"    a column by another name; several times; "header=" leaves it out
  --key <field>           update the record that has the row's value there instead of creating one
  --id <header>           the column that holds the ids of new records
  --null <text>           a text that means "empty", such as ?
  --date-format <format>  such as "DD-MM-YYYY HH:mm" (else ISO 8601)
  --zone <zone>           of times that name none, such as Europe/Berlin (UTC)
  --delimiter <character> default: of , ; tab | the one that splits the first rows evenly
  --encoding <encoding>   such as windows-1252 (UTF-8, or what a byte order mark says)
  --decimal <sign>        of numbers, . or , (detected where the file says it)
  --no-header             the first row is data; its columns are "Column 1" and so on
  --dry-run               validate every row, change nothing
  --draft                 make a change set of the file, to be previewed and applied in the browser
  --rejects <file.csv>    write the rejected rows there, with line and reasons
${serverUsage}`;

const options = {
  table: { type: "string" },
  map: { type: "string", multiple: true },
  key: { type: "string" },
  id: { type: "string" },
  null: { type: "string" },
  "date-format": { type: "string" },
  zone: { type: "string" },
  delimiter: { type: "string" },
  encoding: { type: "string" },
  decimal: { type: "string" },
  "no-header": { type: "boolean" },
  "dry-run": { type: "boolean" },
  draft: { type: "boolean" },
  rejects: { type: "string" },
  ...serverOptions,
} as const;

type ImportOptions = Parsed<typeof options>;

/** Throws a UsageError that says what is missing. */
function readCliCall(
  { values, positionals }: ImportOptions,
  environment: Readonly<Record<string, string | undefined>>,
): CliCall {
  const [file] = positionals;
  if (!values.table) throw new UsageError("Say which table: --table incidents");
  if (!file) throw new UsageError("Say which file.");
  const query: Record<string, string> = {};
  for (const name of ["key", "id", "null", "zone", "delimiter", "encoding", "decimal"] as const) {
    if (values[name] !== undefined) query[name] = values[name];
  }
  if (values["date-format"]) query.dateFormat = values["date-format"];
  const { draft: isDraft = false, rejects = null } = values;
  if (isDraft && values["dry-run"]) {
    throw new UsageError("A draft changes nothing by itself: use --draft or --dry-run.");
  }
  if (rejects !== null && values["dry-run"]) {
    throw new UsageError("A dry run stores no rejected rows: use --draft.");
  }
  if (values["no-header"]) query.header = "false";
  if (values["dry-run"]) query.dryRun = "true";
  if (values.map) query.map = JSON.stringify(Object.fromEntries(values.map.map(readMap)));
  const server = readServerCall(values, environment);
  return { ...server, table: values.table, file, query, isDraft, rejects };
}

function readMap(text: string): [string, string] {
  const at = text.lastIndexOf("=");
  if (at < 1) throw new UsageError(`--map "${text}" is not of the form "header=field".`);
  return [text.slice(0, at), text.slice(at + 1)];
}

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
    ...shown.map(({ line, field, value, rule, code, message }) =>
      [`line ${line}`, field, rule ?? code, message, value && `"${value}"`]
        .filter((part) => part !== undefined && part !== "")
        .map((part) => printable(String(part)))
        .join(" · "),
    ),
    ...(rest > 0 ? [`… and ${rest} more errors`] : []),
    ...(report.ignored.length
      ? [`columns left out: ${report.ignored.map(printable).join(", ")}`]
      : []),
    `columns separated by ${nameOfDelimiter(report.format.delimiter)}`,
  ];
}

/** A tab can't be seen. */
const nameOfDelimiter = (delimiter: string) =>
  delimiter === "\t" ? "a tab" : printable(delimiter);

function describe(report: ImportReport, url: string): string {
  const { dryRun, rows, created, updated, unchanged, superseded, failed, changeSet } = report;
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed`;
  const replaced = superseded > 0 ? `, ${superseded} superseded by a later row of their key` : "";
  const note = dryRun ? "dry run, nothing changed: " : "";
  const next = changeSet === null ? [] : [`Rejected rows and revert: ${url}/changes/${changeSet}`];
  return [...describeRows(report), `${note}${rows} rows: ${counts}${replaced}`, ...next].join("\n");
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

type Progress = (sentBytes: number, totalBytes: number) => void;

interface UploadOptions {
  /** Where rejected rows are written, if anywhere. */
  rejects: string | null;
  progress: Progress;
}

interface Uploaded<Report> {
  report: Report;
  /** Why the rejected rows were not written; null if they were, or there is nothing to write. */
  problem: string | null;
}

/**
 * Sends the file to a running server and returns its report. The server reads no faster than it writes, so
 * the sent part is close to the finished part. Rejected rows are written to `rejects`, if it is given.
 */
function upload(
  call: CliCall,
  path: string,
  { rejects, progress }: UploadOptions,
): Promise<Uploaded<ImportReport>> {
  return withServer(call, async (_rest, token) => {
    const report = await sendFile(call, path, progress, token);
    const id = report.failed > 0 ? report.changeSet : null;
    return { report, problem: await writeRejects(rejects, { id, call, token }) };
  });
}

/**
 * Makes a draft of the file, and returns its id with the report. Rejected rows are written to `rejects`, if it is given.
 * A draft whose file could not be read is deleted.
 */
function uploadDraft(
  call: CliCall,
  path: string,
  { rejects, progress }: UploadOptions,
): Promise<Uploaded<DraftImport> & { id: string }> {
  return withServer(call, async (rest, token) => {
    const { id } = await rest("POST /change-sets", { body: { title: basename(path) } });
    const params = { id };
    const query = { ...call.query, table: call.table };
    const sendDraft = async () => {
      const file = await readFile(path, progress);
      const name = "POST /change-sets/{id}/import";
      const answer = await send(call.url, name, { params, query, file, token });
      return (await answer.json()) as DraftImport;
    };
    const report = await sendDraft().catch(async (error: unknown) => {
      const signal = AbortSignal.timeout(CLEAN_UP_TIMEOUT_MS);
      const deletion = send(call.url, "DELETE /change-sets/{id}", { params, token, signal });
      await deletion.catch(() => undefined);
      throw error;
    });
    const problem = await writeRejects(rejects, { id: report.failed > 0 ? id : null, call, token });
    return { id, report, problem };
  });
}

/** Says what went wrong: the import itself is done. */
async function writeRejects(
  path: string | null,
  { id, call, token }: { id: string | null; call: CliCall; token: string },
): Promise<string | null> {
  if (path === null || id === null) return null;
  try {
    const name = "GET /change-sets/{id}/rejects.csv";
    const file = await send(call.url, name, { params: { id }, token });
    await writeFile(path, Readable.fromWeb(file.body as never));
    return null;
  } catch (error) {
    return `The rejected rows could not be written to ${path}: ${(error as Error).message}.`;
  }
}

async function sendFile(call: CliCall, path: string, progress: Progress, token: string) {
  const answer = await send(call.url, "POST /tables/{table}/imports", {
    params: { table: call.table },
    query: call.query,
    file: await readFile(path, progress),
    token,
  });
  return (await answer.json()) as ImportReport;
}

async function readFile(path: string, progress: Progress): Promise<Readable> {
  const { size } = await stat(path);
  const file = createReadStream(path);
  let sent = 0;
  file.on("data", (chunk) => {
    sent += chunk.length;
    progress(sent, size);
  });
  return file;
}

export const command = defineCommand({ usage, options, maxArguments: 1, run });
