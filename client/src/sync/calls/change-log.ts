import type { Values } from "../../../../shared/model/model.ts";
import type { ActivityEntry } from "../../../../shared/protocol/records.ts";
import type { ActivityQuery } from "../../../../shared/protocol/tables.ts";
import { rest } from "../../transport/rest/rest.ts";

/** Which changes to show; those of every table if none is named. Record and field are of the named table. */
export type ChangeFilter = ActivityQuery;

export interface ChangePage {
  items: ActivityEntry[];
  /** Where older changes go on; null if there are none. */
  next: string | null;
}

/** One call searches a part of the log, so it finds few changes if the filter matches rarely. */
const CALLS_MAX = 5;

/** The newest matching changes that one call finds; with `before`, only older ones than that place. */
export async function readChanges(
  filter: ChangeFilter,
  limit: number,
  before?: string,
): Promise<ChangePage> {
  const page = await rest("GET /changes", { query: { ...filter, limit, before } });
  return "next" in page ? page : { items: [], next: null };
}

/** The same for a user who waits: a page is empty only if nothing was found in several calls. */
export async function searchChanges(
  filter: ChangeFilter,
  limit: number,
  before?: string,
): Promise<ChangePage> {
  let next: string | null = before ?? null;
  for (let call = 1; ; call += 1) {
    const page = await readChanges(filter, limit, next ?? undefined);
    if (page.items.length > 0 || page.next === null || call === CALLS_MAX) return page;
    next = page.next;
  }
}

/** The values of a record when it was deleted; null if it was not, or if the user may not know them. */
export async function valuesWhenDeleted(table: string, record: string): Promise<Values | null> {
  const page = await readChanges({ table, record, kind: "delete" }, 1).catch(() => null);
  const [last] = page?.items ?? [];
  if (!last) return null;
  return Object.fromEntries(
    Object.entries(last.fields).map(([name, { before }]) => [name, before]),
  );
}
