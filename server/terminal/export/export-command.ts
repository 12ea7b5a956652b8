import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { BYTE_ORDER_MARK } from "../../../shared/csv-line.ts";
import { defineCommand, type Parsed, resolveFromCallerFolder } from "../command.ts";
import { type RestCall, ServerError, send } from "../rest-call.ts";
import {
  readServerCall,
  serverOptions,
  serverUsage,
  UsageError,
  withServer,
} from "../server-call.ts";
import { OutputClosed, writeOutput } from "../write-output.ts";

/** `watchfloor export`: writes the records of a table or a view to a file, within the caller's rights. */

const usage = `watchfloor export --table <table> [options] <file.csv | file.jsonl | ->
watchfloor export --view <name or id> [options] <file.csv | file.jsonl | ->

  --table <table>         all records of a table; with --view the table of a view whose name is used twice
  --view <name or id>     the records, order and columns of a view
  --filter <json>         in the filter language (docs/guides/filters.md); instead of the view's
  --sort=<fields>         such as priority,-opened_at
  --search <text>         only records that contain it
  --fields <fields>       such as number,title; all that you may read, or those of the view
  --labels                in CSV a column beside each link and user with their names
  --format csv|jsonl      if the file's name does not say it; csv for the terminal
  --zone <zone>           of days in filters, such as Europe/Berlin (UTC)
${serverUsage}

The file gets its name when it is complete. It needs the right to export the table.`;

const options = {
  ...serverOptions,
  table: { type: "string" },
  view: { type: "string" },
  filter: { type: "string" },
  sort: { type: "string" },
  search: { type: "string" },
  fields: { type: "string" },
  format: { type: "string" },
  zone: { type: "string" },
  labels: { type: "boolean" },
} as const;

type Given = Parsed<typeof options>;

async function run({ positionals: [file], values }: Given): Promise<number> {
  if (file === undefined) throw new UsageError("Name a file, or - for the terminal.");
  if (!values.table && !values.view) throw new UsageError("Name a table (--table) or --view.");
  const format = values.format ?? (file.endsWith(".jsonl") ? "jsonl" : "csv");
  if (format !== "csv" && format !== "jsonl") throw new UsageError("--format is csv or jsonl.");
  if (values.labels && format !== "csv") throw new UsageError("--labels is for CSV.");
  const call = readServerCall(values, process.env);
  await withServer(call, async (rest, token) => {
    const { table, query } = await readView(rest, values);
    const answer = await send(call.url, `GET /tables/{table}/export.${format}`, {
      params: { table },
      query,
      token,
    });
    await save(answer, file);
  });
  return 0;
}

/** The view, with the options in place of its own settings. */
async function readView(rest: RestCall, values: Given["values"]) {
  const { filter, sort, search, fields, zone, labels } = values;
  const view = values.view === undefined ? null : await findView(rest, values.view, values.table);
  const own = view && {
    ...(view.filter && { filter: view.filter }),
    ...(view.sort.length > 0 && { sort: view.sort }),
    ...(view.columns.length > 0 && { fields: await shownFields(rest, view) }),
  };
  const given = { filter, sort, search, fields, zone, labels };
  const isGiven = ([, value]: [string, unknown]) => value !== undefined;
  const query = { ...own, ...Object.fromEntries(Object.entries(given).filter(isGiven)) };
  return { table: view?.table ?? values.table ?? "", query };
}

async function findView(rest: RestCall, name: string, table: string | undefined) {
  const { items } = await rest("GET /views", { query: table === undefined ? {} : { table } });
  const found = items.filter((view) => view.id === name || view.name === name);
  const [view] = found;
  if (!view) throw new UsageError(`There is no view "${name}" that you may see.`);
  if (found.length === 1) return view;
  const ids = found.map(({ id, table: of }) => `${id} (${of})`).join(", ");
  throw new UsageError(`${found.length} views are called "${name}". Name one by its id: ${ids}`);
}

type View = Awaited<ReturnType<typeof findView>>;

/** Columns that a view does not name follow in the table's order, as on the screen. */
async function shownFields(rest: RestCall, { table, columns }: View): Promise<string[]> {
  const { tables } = await rest("GET /model");
  const named = columns.map(({ field }) => field);
  const hidden = new Set(columns.filter((column) => column.hidden).map(({ field }) => field));
  const all = tables.find(({ name }) => name === table)?.fields.map(({ name }) => name) ?? [];
  return [...new Set([...named, ...all])].filter((name) => !hidden.has(name));
}

/** A download that breaks off leaves no file that looks complete. */
async function save(answer: Response, file: string): Promise<void> {
  const content = Readable.fromWeb((answer.body ?? new ReadableStream()) as never);
  if (file === "-") return writeOutput(withoutMark(content)).catch(brokenOff);
  const path = resolveFromCallerFolder(file);
  const partial = `${path}.partial`;
  const found = await stat(path).catch(() => null);
  if (found && !found.isFile()) {
    content.destroy();
    throw new UsageError(
      `${file} is not a regular file. Name another one, or write to the terminal with -.`,
    );
  }
  try {
    await pipeline(content, createWriteStream(partial, { mode: 0o600 }));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    brokenOff(error);
  }
  console.log(`${file} is written.`);
}

const MARK = Buffer.from(BYTE_ORDER_MARK);

/** For another program, which would take the mark for a part of the first name. A spreadsheet opens a file. */
function withoutMark(content: Readable): Readable {
  let isFirst = true;
  return Readable.from(
    content.map((chunk: Uint8Array) => {
      const bytes = Buffer.from(chunk);
      const isMarked = isFirst && bytes.subarray(0, MARK.length).equals(MARK);
      isFirst = false;
      return isMarked ? bytes.subarray(MARK.length) : bytes;
    }),
  );
}

function brokenOff(error: unknown): never {
  if (error instanceof OutputClosed) throw error;
  throw new ServerError(`The export is not complete: ${(error as Error).message}. Try again.`);
}

export const command = defineCommand({ usage, options, maxArguments: 1, run });
