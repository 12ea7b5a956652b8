import { type RawBuilder, type SqlBool, sql } from "kysely";
import { fieldsOf } from "../../shared/filter/bind-filter.ts";
import { compareBy } from "../../shared/filter/compare.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { readLiteral } from "../../shared/filter/literal.ts";
import { compileFilter } from "../../shared/filter/matches.ts";
import { isOrdered } from "../../shared/filter/ordering.ts";
import { kindOfType } from "../../shared/model/field-types.ts";
import { fieldKinds, findField, type Table, type Values } from "../../shared/model/model.ts";
import { columnName, documentExpression, idColumn } from "./columns.ts";
import type { Db } from "./database.ts";
import { type ChangedImages, readImagesIn, readPosition } from "./feed-log.ts";
import { filterColumns } from "./filter-columns.ts";
import { orderBySql } from "./filter-sql.ts";
import type { PageRequest } from "./pages.ts";
import { type Place, partsFrom } from "./seek.ts";
import { rowOf, rowsOf } from "./statement.ts";
import { idsOfParts } from "./view-sql.ts";

/** Every so many records of a view have an entry; fewer in very long views. */
export const ENTRY_RECORDS = 200;
export const ENTRIES_MAX = 5_000;
/** Places with longer values have no entry. */
export const ENTRY_MAX_CHARS = 2_000;
/** An index that lacks more changes is built anew, which then takes less time. */
export const FOLLOWED_MAX_CHANGES = 10_000;
const CHANGES_READ_TOGETHER = 1_000;
const BYTES_READ_TOGETHER = 2_000_000;

export type View = Pick<PageRequest, "filter" | "sort">;

/**
 * A sparse index of a view's offsets: places in its order, and how many records are before each. It is exact at one
 * position of the feed, and the log leads to any later one. It never decides which records a page shows, only where the
 * reading begins: the page's own statement applies filter and order.
 */
export interface OffsetIndex {
  /** Of the model by which it was built. A change of the model may rewrite records without an entry in the log. */
  readonly table: Table;
  readonly epoch: string;
  readonly seq: number;
  readonly total: number;
  /** In the order of the view. */
  readonly entries: readonly Place[];
  /** For each entry the number of records before it. */
  readonly offsets: readonly number[];
}

/** Reads a view from its beginning to its end, in one snapshot. Null if no place of it can be an entry. */
export async function buildOffsetIndex(
  snapshot: Db,
  table: Table,
  { sort }: View,
  where: RawBuilder<SqlBool>,
): Promise<OffsetIndex | null> {
  const { epoch, seq } = await readPosition(snapshot, table.name);
  const columns = filterColumns(table, "t");
  const fields = table.fields.filter(({ name }) => sort.some(({ field }) => field === name));
  const names = fields.map(({ name }) => name);
  const read = [idColumn, ...fields.map(columnName)].map((column) => sql.id(column));
  const place = sql.id("watchfloor place"); // beside columns of other programs
  const rows = await rowsOf<Place & { place: number }>(snapshot)`
    select s.${sql.id(idColumn)} as id, s.${place} as place, d.values from (
      select t.*, row_number() over () as ${place} from (
        select ${sql.join(read)} from ${sql.id(table.name)} t where ${where}
        order by ${orderBySql(sort, columns)}
      ) t
    ) s cross join lateral (select ${documentExpression(table, "s", names)} as values offset 0) d
    where s.${place} % ${sql.lit(ENTRY_RECORDS)} = 1 and length(d.values::text) <= ${sql.lit(ENTRY_MAX_CHARS)}
    order by s.${place}`;
  const usable = rows.filter(({ values }) => canBeNamed(table, sort, values));
  const step = Math.ceil(usable.length / ENTRIES_MAX);
  const chosen = usable.filter((_, index) => index % step === 0);
  const last = usable.at(-1);
  if (!last) return null;
  const rest = idsOfParts(table, where, partsFrom(sort, last), { offset: 0, limit: null });
  const counted = await rowOf<{ rest: number }>(snapshot)`
    select count(*)::int as rest from (${rest}) r`;
  return {
    table,
    epoch,
    seq,
    total: last.place - 1 + (counted?.rest ?? 0),
    entries: chosen.map(({ id, values }) => ({ id, values })),
    offsets: chosen.map(({ place }) => place - 1),
  };
}

/** Whether a filter can name the values that an order compares: other programs may have written an infinite time. */
export function canBeNamed(table: Table, sort: View["sort"], values: Values): boolean {
  return sort.every(({ field: name }) => {
    const value: Json = values[name] ?? null;
    const kind = kindOfType[findField(table, name)?.type ?? "text"];
    return value === null || (isOrdered(kind) && readLiteral(kind, value) !== null);
  });
}

/**
 * The index at a later position, by the changes since. Null if they can't be followed: the log does not reach back, a
 * model change rewrote records, another epoch began, or there are too many.
 */
export async function advanceOffsetIndex(
  snapshot: Db,
  index: OffsetIndex,
  view: View,
): Promise<OffsetIndex | null> {
  const { epoch, seq, floor } = await readPosition(snapshot, index.table.name);
  if (index.epoch !== epoch || index.seq > seq || index.seq < floor) return null;
  if (seq - index.seq > FOLLOWED_MAX_CHANGES) return null;
  const fields = [
    ...new Set([...view.sort.map(({ field }) => field), ...fieldsOf(view.filter ?? { and: [] })]),
  ];
  let current = index;
  while (current.seq < seq) {
    const limit = Math.min(CHANGES_READ_TOGETHER, seq - current.seq);
    const bounds = { limit, bytes: BYTES_READ_TOGETHER, fields };
    const read = await readImagesIn(snapshot, index.table.name, current.seq, bounds);
    const last = read?.changes.at(-1);
    if (read?.epoch !== epoch || last?.seq !== current.seq + read.changes.length) return null;
    const next = withChanges(current, view, read.changes);
    if (!next) return null;
    current = next;
  }
  return current;
}

/** The index after changes that continue it. Null if the place of a record is unknown. */
function withChanges(
  index: OffsetIndex,
  { filter, sort }: View,
  changes: readonly ChangedImages[],
): OffsetIndex | null {
  const kinds = fieldKinds(index.table);
  const isShown = filter ? compileFilter(filter, kinds) : () => true;
  const compare = compareBy(sort, kinds);
  // How many more records are before the entry of that place than before the previous one.
  const shifts = new Array<number>(index.entries.length + 1).fill(0);
  let { total } = index;
  let isKnown = true;
  const count = (id: string, values: Values | null, by: number) => {
    if (!values || !isShown(id, values)) return;
    if (!canBeNamed(index.table, sort, values)) isKnown = false;
    total += by;
    const after = firstAfter(index.entries, (entry) => compare({ id, values }, entry) < 0);
    shifts[after] = (shifts[after] ?? 0) + by;
  };
  for (const { record, before, after } of changes) {
    // An update names the previous values of the changed fields only.
    count(record, before && { ...after, ...before }, -1);
    count(record, after, 1);
  }
  if (!isKnown) return null;
  let shift = 0;
  const offsets = index.offsets.map((offset, place) => {
    shift += shifts[place] ?? 0;
    return offset + shift;
  });
  return { ...index, seq: changes.at(-1)?.seq ?? index.seq, total, offsets };
}

/** The last entry that is not beyond an offset, and its offset. Null if the first one is. */
export function entryAt(
  { entries, offsets }: OffsetIndex,
  offset: number,
): { place: Place; offset: number } | null {
  const next = firstAfter(offsets, (one) => one > offset);
  const place = entries[next - 1];
  return place ? { place, offset: offsets[next - 1] ?? 0 } : null;
}

/** The place of the first element for which `isAfter` holds, as it does for all that follow. */
function firstAfter<T>(list: readonly T[], isAfter: (one: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAfter(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
