import { createReadStream, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { planColumns } from "../../server/import/plan-columns.ts";
import { readCsv } from "../../server/import/read-csv.ts";
import { rowReader } from "../../server/import/read-row.ts";
import { TimeReader } from "../../server/import/read-time.ts";
import { serviceDesk } from "../../server/model/templates/service-desk.ts";
import { defaultLimits } from "../../shared/limits.ts";
import { findTable, type Table, type Values } from "../../shared/model/model.ts";
import { importOptionsSchema } from "../../shared/protocol/imports.ts";

/** One update of the log: the whole incident as it stood after it. */
export interface LogRow {
  line: number;
  incident: string;
  author: string;
  /** Milliseconds since the epoch. */
  at: number;
  values: Values;
}

const fullLog = fileURLToPath(
  new URL("../../../shared/data/incident_event_log.csv", import.meta.url),
);
/** Part of the repository; its licence and authors are beside it. */
const excerpt = fileURLToPath(new URL("data/incident-log-excerpt.csv", import.meta.url));
const FILE_MAX_BYTES = 100_000_000;

const options = importOptionsSchema.parse({
  key: "number",
  null: "?",
  dateFormat: "DD-MM-YYYY HH:mm",
  map: JSON.stringify({
    incident_state: "state",
    caller_id: "caller",
    assignment_group: "group",
    assigned_to: "assignee",
    reassignment_count: "reassignments",
    reopen_count: "reopenings",
    made_sla: "sla_met",
    closed_code: "resolution_code",
  }),
});

/** Whether the whole log is beside the project; else its excerpt in the repository is read. */
export const isFullLog = existsSync(fullLog);

/** The file that is read. */
export const logFile = isFullLog ? fullLog : excerpt;

/** The name of the log, for the report. */
export const logName = isFullLog
  ? "the whole incident log"
  : "the repository's excerpt of the incident log (40 incidents), because ../shared/data is not there";

/**
 * Reads the log in order of time, with the updates of one incident always in their own order (one of them has
 * a clock that went back). The importer's code reads the values.
 */
export async function readIncidentLog(file: string = logFile): Promise<LogRow[]> {
  const table = findTable(serviceDesk, "incidents") as Table;
  const rows = readCsv(createReadStream(file), options, {
    ...defaultLimits,
    IMPORT_FILE_MAX_BYTES: FILE_MAX_BYTES,
  });
  const header = (await rows.next()).value?.cells ?? [];
  const fields = table.fields.map(({ name }) => name);
  const read = rowReader(planColumns(header, table, fields, options), options);
  const times = new TimeReader(options.dateFormat, "UTC");
  const [author, time] = ["sys_updated_by", "sys_updated_at"].map((name) => header.indexOf(name));
  const log: LogRow[] = [];
  for await (const row of rows) {
    const result = read(row);
    if (!result.ok) throw new Error(`line ${row.line}: ${result.errors[0]?.message}`);
    const { line, values } = result.row;
    const at = Date.parse(String(times.instant(row.cells[time as number] ?? "")));
    const by = row.cells[author as number] ?? "";
    log.push({ line, incident: String(values.number), author: by, at, values });
  }
  return inOrderOfTime(log);
}

/** Sorts by time without ever swapping two updates of one incident. */
function inOrderOfTime(log: readonly LogRow[]): LogRow[] {
  const latest = new Map<string, number>();
  const clamped = log.map((row) => {
    const at = Math.max(row.at, latest.get(row.incident) ?? row.at);
    latest.set(row.incident, at);
    return { ...row, at };
  });
  return clamped.sort((a, b) => a.at - b.at);
}
