import { type Filter, filterSchema } from "../../../../shared/filter/filter.ts";
import { isZone } from "../../../../shared/filter/zone.ts";
import type { ViewQuery } from "../../sync/record-window.ts";

/**
 * A view as the query of an address, so that a link or a reload shows the same rows: `q` searches,
 * `sort` holds keys joined by commas, `filter` the filter as JSON, `zone` where its days begin. What
 * can't be read is left out.
 */
export function readView(params: URLSearchParams, defaultSort: readonly string[]): ViewQuery {
  const sort = params.get("sort");
  return {
    filter: readFilter(params.get("filter")),
    sort: sort === null ? [...defaultSort] : sort.split(",").filter(Boolean),
    search: params.get("q") ?? "",
    ...readZone(params.get("zone")),
  };
}

/** The same address with another view; parameters that are not the view's stay. */
export function writeView(
  params: URLSearchParams,
  view: ViewQuery,
  defaultSort: readonly string[],
): URLSearchParams {
  const next = new URLSearchParams(params);
  put(next, "q", view.search);
  put(next, "filter", view.filter ? JSON.stringify(view.filter) : "");
  if (view.sort.join() === defaultSort.join()) next.delete("sort");
  else next.set("sort", view.sort.join(","));
  return next;
}

function readZone(text: string | null): { zone?: string } {
  return text !== null && isZone(text) ? { zone: text } : {};
}

function put(params: URLSearchParams, name: string, value: string): void {
  if (value) params.set(name, value);
  else params.delete(name);
}

function readFilter(text: string | null): Filter | null {
  try {
    const parsed = filterSchema.safeParse(JSON.parse(text ?? "null"));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
