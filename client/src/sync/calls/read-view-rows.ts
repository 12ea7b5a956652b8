import { defaultLimits } from "../../../../shared/limits.ts";
import type { Values } from "../../../../shared/model/model.ts";
import { dayZone } from "../../state/day-zone.ts";
import { knownAccountData } from "../../state/known-account.ts";
import { rest } from "../../transport/rest/rest.ts";
import { isTooManyBytes } from "../records/page-reader.ts";
import type { ViewQuery } from "../rows/view-query.ts";

/** A row of a view, as the server has it. */
export interface ViewRow {
  id: string;
  values: Readonly<Values>;
}

/**
 * Reads the first rows of a view in its order, page by page, with the named fields only. The server refuses fields that
 * the user may not read. `isLast` of the last page says whether the view ends there.
 */
export async function* readViewRows(
  table: string,
  view: ViewQuery,
  { fields, max }: { fields: readonly string[]; max: number },
): AsyncGenerator<{ rows: ViewRow[]; isLast: boolean }> {
  const limits = knownAccountData()?.session.limits ?? defaultLimits;
  const { filter, search, sort, zone = dayZone(), orderOf } = view;
  let pageMax: number = limits.PAGE_MAX_RECORDS;
  for (let offset = 0; offset < max; ) {
    const limit = Math.min(pageMax, max - offset);
    const page = await rest("GET /tables/{table}/records", {
      params: { table },
      query: {
        fields: [...fields],
        sort: [...sort],
        orderOf: orderOf?.view,
        filter: filter ?? undefined,
        search: search || undefined,
        zone,
        offset,
        limit,
      },
    }).catch((error: unknown) => {
      if (!isTooManyBytes(error) || limit === 1) throw error;
      return null;
    });
    if (!page) {
      pageMax = Math.floor(limit / 2);
      continue;
    }
    const { records, total, totalExact } = page;
    offset += records.length;
    const isLast = records.length < limit || (totalExact && offset === total);
    yield { rows: records, isLast };
    if (isLast) return;
  }
}
