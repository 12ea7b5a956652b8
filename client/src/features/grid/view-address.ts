import { type Filter, filterSchema } from "../../../../shared/filter/filter.ts";
import { isZone } from "../../../../shared/filter/zone.ts";
import type { ViewQuery } from "../../sync/window/record-window.ts";

/** What is shown where the address says nothing: the saved view, or the table as it is. */
export type ShownFirst = Readonly<Pick<ViewQuery, "filter" | "sort">>;

/**
 * A view as the query of an address, so that a link or a reload shows the same rows: `q` searches,
 * `sort` holds keys joined by commas, `filter` the filter as JSON, `zone` where its days begin. What
 * can't be read is left out.
 */
export function readView(params: URLSearchParams, first: ShownFirst): ViewQuery {
  const sort = params.get("sort");
  const filter = params.get("filter");
  return {
    filter: filter === null ? first.filter : readFilter(filter),
    sort: sort === null ? first.sort : sort.split(",").filter(Boolean),
    search: params.get("q") ?? "",
    ...readZone(params.get("zone")),
  };
}

/** The same address with another view; parameters that are not the view's stay. */
export function writeView(
  params: URLSearchParams,
  view: ViewQuery,
  first: ShownFirst,
): URLSearchParams {
  const next = new URLSearchParams(params);
  const filter = JSON.stringify(view.filter);
  put(next, "q", view.search === "" ? null : view.search);
  put(next, "filter", filter === JSON.stringify(first.filter) ? null : filter);
  put(next, "sort", view.sort.join() === first.sort.join() ? null : view.sort.join(","));
  return next;
}

/** The address without a view that is gone, which goes on showing the rows that it showed. */
export function keepView(
  params: URLSearchParams,
  gone: ShownFirst,
  table: { sort: readonly string[] },
): URLSearchParams {
  const asTable = { filter: null, sort: table.sort };
  const next = writeView(params, readView(params, gone), asTable);
  next.delete("view");
  return next;
}

function readZone(text: string | null): { zone?: string } {
  return text !== null && isZone(text) ? { zone: text } : {};
}

function put(params: URLSearchParams, name: string, value: string | null): void {
  if (value === null) params.delete(name);
  else params.set(name, value);
}

function readFilter(text: string): Filter | null {
  try {
    const parsed = filterSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
