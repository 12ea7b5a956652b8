import { requestOf } from "../../../../shared/protocol/call.ts";
import { type Origin, originSchema } from "../../../../shared/protocol/record.ts";
import { activityMessages as messages } from "../../messages/en/activity.ts";
import type { ExportFile } from "../../records/export-menu.tsx";
import type { ChangeFilter } from "../../sync/calls/change-log.ts";

/** The kinds of entries that the timeline can be limited to. */
const shown = ["all", "changes", "deleted", "events", "comments"] as const;

/** What the timeline shows, as in the query of its address. */
export interface ActivityFilter {
  show: (typeof shown)[number];
  user: string;
  table: string;
  record: string;
  field: string;
  origin: Origin | "";
  changeSet: string;
  /** One of `spans`, `custom` with `from` and `to`, or any time. */
  span: string;
  /** Local time, in the format of an input of type datetime-local. */
  from: string;
  to: string;
  search: string;
}

/** Spans up to now, in milliseconds. */
const spans: Readonly<Record<string, number>> = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
};

const none: ActivityFilter = {
  show: "all",
  user: "",
  table: "",
  record: "",
  field: "",
  origin: "",
  changeSet: "",
  span: "",
  from: "",
  to: "",
  search: "",
};

/** Reads the filter from the query of the address. */
export function filterOf(params: URLSearchParams): ActivityFilter {
  const given = Object.keys(none).map((name) => [name, params.get(name) ?? ""]);
  const filter = { ...none, ...Object.fromEntries(given) } as ActivityFilter;
  const origin = originSchema.safeParse(filter.origin);
  const isShown = shown.includes(filter.show);
  return { ...filter, show: isShown ? filter.show : "all", origin: origin.data ?? "" };
}

/** The query string for a filter. Without a table, its record and field are left out. */
export function paramsOf(filter: ActivityFilter): Record<string, string> {
  const { record, field, ...rest } = filter;
  const own = filter.table ? filter : rest;
  const custom = filter.span === "custom" ? own : { ...own, from: "", to: "" };
  const entries = Object.entries(custom).filter(([name, value]) => {
    return value !== "" && !(name === "show" && value === none.show);
  });
  return Object.fromEntries(entries);
}

/** Whether the filter is about changes only, so that security events don't match it. */
export function isAboutChanges({ table, origin, changeSet }: ActivityFilter): boolean {
  return Boolean(table || origin || changeSet);
}

/** The span of a filter as instants; `now` in milliseconds. */
export function spanOf(
  { span, from, to }: Pick<ActivityFilter, "span" | "from" | "to">,
  now: number,
): { from?: string; to?: string } {
  const length = spans[span];
  if (length !== undefined) return { from: new Date(now - length).toISOString() };
  if (span !== "custom") return {};
  const [start, end] = [from, to].map((text) => new Date(text));
  return {
    ...(isValid(start) && { from: start.toISOString() }),
    ...(isValid(end) && { to: end.toISOString() }),
  };
}

/** The filter as a query of the server. */
export function changeFilterOf(filter: ActivityFilter, now: number): ChangeFilter {
  const { show, user, table, record, field, origin, changeSet, search } = filter;
  return {
    kind: show === "deleted" ? "delete" : undefined,
    table: table || undefined,
    record: (table && record) || undefined,
    field: (table && field) || undefined,
    by: user || undefined,
    origin: origin || undefined,
    changeSet: changeSet || undefined,
    search: search || undefined,
    ...spanOf(filter, now),
  };
}

function isValid(date: Date | undefined): date is Date {
  return date !== undefined && !Number.isNaN(date.getTime());
}

/** The formats in which the matching changes can be exported, and their addresses. */
export function filesOf(filter: ChangeFilter): ExportFile[] {
  return [
    {
      label: messages.exportCsv(),
      path: requestOf("GET /changes/export.csv", { query: filter }).path,
    },
    {
      label: messages.exportJsonLines(),
      path: requestOf("GET /changes/export.jsonl", { query: filter }).path,
    },
  ];
}
