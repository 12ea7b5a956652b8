import type { ActivityEntry } from "../../../../shared/protocol/history.ts";
import type { Origin } from "../../../../shared/protocol/origin.ts";
import { rest } from "../../transport/rest/rest.ts";

/** Which changes to show; those of every table if none is named. Record and field are of the named table. */
export interface ChangeFilter {
  table?: string | undefined;
  record?: string | undefined;
  field?: string | undefined;
  /** The id of a user. */
  by?: string | undefined;
  kind?: ActivityEntry["kind"] | undefined;
  origin?: Origin | undefined;
  changeSet?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  search?: string | undefined;
}

export interface ChangePage {
  items: ActivityEntry[];
  /** Where older changes go on; null if there are none. */
  next: string | null;
}

/** A call looks at a part of the log, and finds few changes if the filter matches rarely. */
const CALLS_MAX = 5;

/** The newest changes that match, or those before a place, as far as one call finds them. */
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
