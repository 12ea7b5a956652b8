import type { Parsed } from "../terminal/command.ts";
import {
  readServerCall,
  type ServerCall,
  serverOptions,
  serverUsage,
  UsageError,
} from "../terminal/server-call.ts";

/** Checks the arguments of `watchfloor import`. */
export interface CliCall extends ServerCall {
  table: string;
  file: string;
  /** The file becomes the draft of a change set, and nothing is applied. */
  isDraft: boolean;
  /** Where rejected rows are written. */
  rejects: string | null;
  /** In the form of the REST call. */
  query: Record<string, string>;
}

export const usage = `watchfloor import --table <table> [options] <file.csv>

  --map "header=field"    a column by another name; several times; "header=" leaves it out
  --key <field>           update the record that has the row's value there instead of creating one
  --id <header>           the column that holds the ids of new records
  --null <text>           a text that means "empty", such as ?
  --date-format <format>  such as "DD-MM-YYYY HH:mm" (else ISO 8601)
  --zone <zone>           of times that name none, such as Europe/Berlin (UTC)
  --delimiter <character> default: the most frequent of , ; tab | in the first line
  --encoding <encoding>   such as windows-1252 (UTF-8, or what a byte order mark says)
  --decimal <sign>        of numbers, . or , (detected where the file says it)
  --no-header             the first row is data; its columns are "Column 1" and so on
  --dry-run               validate every row, change nothing
  --draft                 make a change set of the file, to be previewed and applied in the browser
  --rejects <file.csv>    write the rejected rows there, with line and reasons
${serverUsage}`;

export const options = {
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

export type ImportOptions = Parsed<typeof options>;

/** Throws a UsageError that says what is missing. */
export function readCliCall(
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
