import { parseArgs } from "node:util";
import {
  readServerCall,
  type ServerCall,
  serverOptions,
  serverUsage,
  UsageError,
} from "../terminal/server-call.ts";

/** Parses and checks the command line of `npm run import`. */
export interface CliCall extends ServerCall {
  table: string;
  file: string;
  /** In the form of the REST call. */
  query: Record<string, string>;
}

export const usage = `npm run import -- --table <table> [options] <file.csv>

  --map "header=field"    a column by another name; several times; "header=" leaves it out
  --key <field>           update the record that has the row's value there instead of creating one
  --id <header>           the column that holds the ids of new records
  --null <text>           a text that means "empty", such as ?
  --date-format <format>  such as "DD-MM-YYYY HH:mm" (else ISO 8601)
  --zone <zone>           of times that name none, such as Europe/Berlin (UTC)
  --delimiter <character> default: the most frequent of , ; tab | in the first line
  --encoding <encoding>   such as windows-1252 (UTF-8, or what a byte order mark says)
  --dry-run               validate every row, change nothing
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
  "dry-run": { type: "boolean" },
  ...serverOptions,
} as const;

/** Throws a UsageError that says what is missing. */
export function readCliCall(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): CliCall {
  const { values, positionals } = parsed(args);
  const [file, ...more] = positionals;
  if (!values.table) throw new UsageError("Say which table: --table incidents");
  if (!file || more.length) throw new UsageError("Say which file, one.");
  const query: Record<string, string> = {};
  for (const name of ["key", "id", "null", "zone", "delimiter", "encoding"] as const) {
    if (values[name] !== undefined) query[name] = values[name];
  }
  if (values["date-format"]) query.dateFormat = values["date-format"];
  if (values["dry-run"]) query.dryRun = "true";
  if (values.map) query.map = JSON.stringify(Object.fromEntries(values.map.map(readMap)));
  return { ...readServerCall(values, environment), table: values.table, file, query };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function readMap(text: string): [string, string] {
  const at = text.lastIndexOf("=");
  if (at < 1) throw new UsageError(`--map "${text}" is not of the form "header=field".`);
  return [text.slice(0, at), text.slice(at + 1)];
}
