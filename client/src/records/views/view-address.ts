import type { ZodType } from "zod";
import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import { type Filter, filterSchema } from "../../../../shared/filter/filter.ts";
import { isZone } from "../../../../shared/filter/zone.ts";
import { type Appearance, appearanceSchema } from "../../../../shared/model/view/appearance.ts";
import { groupUnits } from "../../../../shared/model/view/summary-ops.ts";
import type { Grouping, ViewSettings } from "../../../../shared/model/view/view.ts";

/** The records of a table that are shown, their order, and the field by which a board groups them. */
export interface ShownView {
  filter: Filter | null;
  sort: readonly string[];
  search: string;
  /** The time zone of `$today`; that of the user's days by default. */
  zone?: string;
  /** The view whose order by hand the records are in, and its version; absent where they are sorted, or none was ever moved. */
  orderOf?: { view: string; version: number };
  group: string | null;
  /** By which the rows of the table are grouped. */
  grouping: Grouping | null;
  /** Height, wrapped texts and colour rules of the rows; the table's own if absent. */
  appearance?: Appearance;
}

/** The settings that the address does not override: those of the saved view, or of the table. */
export type ViewDefaults = Readonly<
  Pick<ShownView, "filter" | "sort" | "group" | "appearance"> & { grouping?: Grouping | null }
>;

/** What of an address is the view's; the rest, such as an opened record, is not. */
const viewParams = ["view", "q", "filter", "sort", "group", "by", "zone", "look"] as const;

/** A table that no view is chosen of. */
export function tableSettings({ sort }: { sort: string[] }): ViewSettings {
  return { filter: null, sort, columns: [], group: null, grouping: null };
}

/**
 * A view as the query of an address, so that a link or a reload shows the same: `q` searches, `sort`
 * holds keys joined by commas, `filter` the filter as JSON, `group` the field of the board's columns, `by` that
 * of the groups of rows (with `:day` or `:month` after it),
 * `zone` where its days begin, `look` height and colours of the rows as JSON. What can't be read is left out.
 */
export function readView(params: URLSearchParams, defaults: ViewDefaults): ShownView {
  const sort = params.get("sort");
  const filter = params.get("filter");
  const group = params.get("group");
  const by = params.get("by");
  const look = params.get("look");
  const appearance = look === null ? defaults.appearance : readAppearance(look);
  return {
    filter: filter === null ? defaults.filter : readFilter(filter),
    sort: sort === null ? defaults.sort : sort.split(",").filter(Boolean),
    search: params.get("q") ?? "",
    group: group === null ? defaults.group : group || null,
    grouping: by === null ? (defaults.grouping ?? null) : readGrouping(by),
    ...(appearance && { appearance }),
    ...readZone(params.get("zone")),
  };
}

/** The same address with another view; parameters that are not the view's stay. */
export function writeView(
  params: URLSearchParams,
  view: ShownView,
  defaults: ViewDefaults,
): URLSearchParams {
  const next = new URLSearchParams(params);
  const filter = JSON.stringify(view.filter);
  put(next, "q", view.search === "" ? null : view.search);
  put(next, "filter", filter === JSON.stringify(defaults.filter) ? null : filter);
  put(next, "sort", view.sort.join() === defaults.sort.join() ? null : view.sort.join(","));
  put(next, "group", view.group === defaults.group ? null : (view.group ?? ""));
  const by = writeGrouping(view.grouping);
  put(next, "by", by === writeGrouping(defaults.grouping ?? null) ? null : by);
  const isDefaultLook = deepEqual(view.appearance ?? {}, defaults.appearance ?? {});
  put(next, "look", isDefaultLook ? null : JSON.stringify(view.appearance ?? {}));
  return next;
}

/** The address without a removed view, but with its settings, so that the same rows are shown. */
export function withoutView(
  params: URLSearchParams,
  removedView: ViewDefaults,
  table: { sort: string[] },
): URLSearchParams {
  const next = writeView(params, readView(params, removedView), tableSettings(table));
  next.delete("view");
  return next;
}

/** The address with another view, or none, and nothing on top of it. */
export function withView(params: URLSearchParams, view: string | null): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const name of viewParams) next.delete(name);
  put(next, "view", view);
  return next;
}

/** The query of another screen on the same view, with what is changed on top of it; empty, or from its `?`. */
export function searchOfView(params: URLSearchParams): string {
  const entries = viewParams.flatMap((name) => {
    const value = params.get(name);
    return value === null ? [] : [[name, value]];
  });
  return entries.length > 0 ? `?${new URLSearchParams(entries)}` : "";
}

function readGrouping(text: string): Grouping | null {
  const [field = "", unit] = text.split(":");
  const by = groupUnits.find((one) => one === unit);
  return field === "" ? null : { field, ...(by && { by }) };
}

function writeGrouping(grouping: Grouping | null): string {
  if (!grouping) return "";
  return grouping.by ? `${grouping.field}:${grouping.by}` : grouping.field;
}

function readZone(text: string | null): { zone?: string } {
  return text !== null && isZone(text) ? { zone: text } : {};
}

function put(params: URLSearchParams, name: string, value: string | null): void {
  if (value === null) params.delete(name);
  else params.set(name, value);
}

function readFilter(text: string): Filter | null {
  return readJson(filterSchema, text);
}

function readAppearance(text: string): Appearance | undefined {
  return readJson(appearanceSchema, text) ?? undefined;
}

function readJson<T>(schema: ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
