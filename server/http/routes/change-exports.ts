import { BYTE_ORDER_MARK, csvLine, withoutFormula } from "../../../shared/csv-line.ts";
import type { Json } from "../../../shared/filter/filter.ts";
import type { ActivityEntry } from "../../../shared/protocol/records.ts";
import type { tableRoutes } from "../../../shared/protocol/tables.ts";
import type { Identity } from "../../auth/identity.ts";
import { requireRight } from "../../auth/require-right.ts";
import { identityWithinShare } from "../../commands/commands.ts";
import type { ActivityCall } from "../../commands/read-activity.ts";
import type { AppDeps } from "../app-deps.ts";
import { currentIdentityOf } from "../current-identity.ts";
import { type Call, type Handlers, Reply } from "../handlers.ts";

const CSV = "GET /changes/export.csv";
const JSONL = "GET /changes/export.jsonl";
type ExportRoutes = Pick<typeof tableRoutes, typeof CSV | typeof JSONL>;
interface FileForm {
  name: "changes.csv" | "changes.jsonl";
  head: string;
  textOf: (entry: ActivityEntry) => string;
}

const columns =
  "at,table,record,seq,kind,byKind,byId,byName,origin,changeSet,transition,reason,field,before,after";
const csv: FileForm = {
  name: "changes.csv",
  head: `${BYTE_ORDER_MARK}${csvLine(columns.split(","))}`,
  textOf: csvLinesOf,
};
const jsonl: FileForm = {
  name: "changes.jsonl",
  head: "",
  textOf: (entry) => `${JSON.stringify(entry)}\n`,
};

/**
 * The activity as a file, newest first, streamed. Every page is read under the rights of that moment. Who exports
 * what is a security event, recorded before anything is sent.
 */
export function changeExportHandlers(deps: AppDeps): Handlers<ExportRoutes> {
  const answer = async (
    { identity, query, request }: Call<ExportRoutes[keyof ExportRoutes]>,
    form: FileForm,
  ) => {
    // Refuses what can't be exported while a status can still be answered.
    await deps.commands.readActivity(identity, { ...query, limit: 1 });
    const detail = { file: form.name, ...query };
    await deps.auth.recordEvent({ kind: "log_exported", actor: identity.subject.id, detail });
    const current = currentIdentityOf(request, deps);
    return new Reply(undefined, {
      file: { name: form.name, chunks: fileOf(form, pagesOf(deps, current, query)) },
    });
  };
  return {
    [CSV]: (call) => answer(call, csv),
    [JSONL]: (call) => answer(call, jsonl),
  };
}

async function* pagesOf(
  { commands, config }: AppDeps,
  current: () => Promise<Identity>,
  call: ActivityCall,
): AsyncGenerator<ActivityEntry[]> {
  const limit = config.limits.PAGE_MAX_RECORDS;
  for (let before: string | null | undefined; before !== null; ) {
    const { identity } = await identityWithinShare(commands, current);
    requireRight(identity.subject, "activity");
    const page = await commands.readActivity(identity, { ...call, limit, before });
    yield page.items;
    before = page.next;
  }
}

async function* fileOf(
  { head, textOf }: FileForm,
  pages: AsyncIterable<ActivityEntry[]>,
): AsyncGenerator<string> {
  yield head;
  for await (const entries of pages) yield entries.map(textOf).join("");
}

/** A line for each field that changed; one for a change that shows none. */
function csvLinesOf(entry: ActivityEntry): string {
  const { at, table, record, seq, kind, by, origin, changeSet, transition, reason } = entry;
  const parts = [at, table, record, seq, kind, by.kind, by.id, by.name];
  const own = [...parts, origin, changeSet, transition, reason].map((part) => cellOf(part ?? null));
  const fields = Object.entries(entry.fields);
  if (fields.length === 0) return csvLine([...own, "", "", ""]);
  return fields
    .map(([field, { before, after }]) => csvLine([...own, field, cellOf(before), cellOf(after)]))
    .join("");
}

function cellOf(value: Json): string {
  if (value === null) return "";
  return typeof value === "string" ? withoutFormula(value) : JSON.stringify(value);
}
