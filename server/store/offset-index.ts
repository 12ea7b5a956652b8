import { createHash } from "node:crypto";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { fieldsOf } from "../../shared/filter/bind-filter.ts";
import { compareBy } from "../../shared/filter/compare.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { readLiteral } from "../../shared/filter/literal.ts";
import { compileFilter } from "../../shared/filter/matches.ts";
import { isOrdered } from "../../shared/filter/ordering.ts";
import type { TextOrder } from "../../shared/filter/text-order.ts";
import { kindOfType } from "../../shared/model/field-types.ts";
import { fieldKinds, findField, type Table, type Values } from "../../shared/model/model.ts";
import type { Position } from "../../shared/protocol/position.ts";
import { documentExpression } from "./columns.ts";
import type { Db } from "./database.ts";
import { type ChangedImages, readImagesIn, readPosition } from "./feed-log.ts";
import { filterColumns } from "./filter-columns.ts";
import { orderBySql } from "./filter-sql.ts";
import { columnRef, entryRef, identifier, idRef, tableRef } from "./identifiers.ts";
import { isTimedOut } from "./is-unavailable.ts";
import type { PageRequest } from "./pages.ts";
import type { ReadTurns } from "./read-turns.ts";
import { type Place, partsFrom } from "./seek.ts";
import { openSnapshot } from "./snapshot.ts";
import { execute, rowOf, rowsOf } from "./statement.ts";
import { idsOfParts } from "./view-sql.ts";

/**
 * Pages far down a long view. With an offset alone Postgres reads and throws away everything before the page: 20 to 1,010 ms
 * in a table of a million records, for each page of a scroll through its middle. So a server keeps, for views in which
 * somebody has gone far, every 200th place of their order with the number of records before it, and a page is read from the
 * nearest place on (seek.ts).
 *
 * The hard part is that the index must be exact while others write. It is exact at one position of the feed. The snapshot
 * that reads a page names a later position, and the changes between both are read from the log and evaluated in memory,
 * before and after, by the filter and order of the browser. Edits do not know of it. Whatever can't be followed (another
 * epoch, another model, too many changes, a value that filters can't name, too many records between two places) ends the
 * index, and the next page far down begins a new one; until that is built, pages are read with an offset alone.
 */

/** Every so many records of a view have an entry; fewer in very long views. */
const ENTRY_RECORDS = 200;
const ENTRIES_MAX = 5_000;
/** Places with longer values have no entry. */
const ENTRY_MAX_CHARS = 2_000;
/** An index that lacks more changes is built anew, which then takes less time. */
const FOLLOWED_MAX_CHANGES = 10_000;
/** An index that has more records between two entries is built anew. */
const COARSE_RECORDS = 20_000;
const CHANGES_READ_TOGETHER = 1_000;
const BYTES_READ_TOGETHER = 2_000_000;

export type View = Pick<PageRequest, "filter" | "sort" | "labels">;

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
async function buildOffsetIndex(
  snapshot: Db,
  table: Table,
  view: View,
  where: RawBuilder<SqlBool>,
): Promise<OffsetIndex | null> {
  const { sort } = view;
  if (isOrderedByLabel(view)) return null;
  const { epoch, seq } = await readPosition(snapshot, table.name);
  const columns = filterColumns(table, "t");
  const fields = table.fields.filter(({ name }) => sort.some(({ field }) => field === name));
  const names = fields.map(({ name }) => name);
  const read = [idRef(), entryRef(), ...fields.map((field) => columnRef(field))];
  const place = identifier("watchfloor place"); // beside columns of other programs
  const rows = await rowsOf<Place & { place: number }>(snapshot)`
    select ${idRef("s")} as id, ${entryRef("s")} as entry, s.${place} as place, d.values from (
      select t.*, row_number() over () as ${place} from (
        select ${sql.join(read)} from ${tableRef(table)} t where ${where}
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
  const rest = idsOfParts(table, where, partsFrom(fieldKinds(table), sort, last), {
    offset: 0,
    limit: null,
  });
  const counted = await rowOf<{ rest: number }>(snapshot)`
    select count(*)::int as rest from (${rest}) r`;
  return {
    table,
    epoch,
    seq,
    total: last.place - 1 + (counted?.rest ?? 0),
    entries: chosen.map(({ id, values, entry }) => ({ id, values, entry })),
    offsets: chosen.map(({ place }) => place - 1),
  };
}

/** Labels change without a change of the view's records. */
const isOrderedByLabel = ({ sort, labels = {} }: View) =>
  sort.some(({ field }) => Object.hasOwn(labels, field));

/** Whether a filter can name the values that an order compares: other programs may have written an infinite time. */
function canBeNamed(table: Table, sort: View["sort"], values: Values): boolean {
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
async function advanceOffsetIndex(
  snapshot: Db,
  index: OffsetIndex,
  view: View,
  texts: TextOrder,
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
    const next = withChanges(current, view, read.changes, texts);
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
  texts: TextOrder,
): OffsetIndex | null {
  const kinds = fieldKinds(index.table);
  const isShown = filter ? compileFilter(filter, kinds) : () => true;
  const compare = compareBy(sort, kinds, texts);
  // How many more records are before the entry of that place than before the previous one.
  const shifts = new Array<number>(index.entries.length + 1).fill(0);
  let { total } = index;
  let isKnown = true;
  const count = (id: string, values: Values | null, entry: number | null, by: number) => {
    if (!values || !isShown(id, values)) return;
    if (!canBeNamed(index.table, sort, values)) isKnown = false;
    total += by;
    const after = firstAfter(index.entries, (place) => compare({ id, values, entry }, place) < 0);
    shifts[after] = (shifts[after] ?? 0) + by;
  };
  for (const { record, before, after, entry } of changes) {
    // A change that was logged before records had numbers: an index reaches back so far for a moment after the upgrade at most.
    if (entry === null) return null;
    // An update names the previous values of the changed fields only.
    count(record, before && { ...after, ...before }, entry, -1);
    count(record, after, entry, 1);
  }
  if (!isKnown) return null;
  let shift = 0;
  const offsets = index.offsets.map((offset, place) => {
    shift += shifts[place] ?? 0;
    return offset + shift;
  });
  return { ...index, seq: changes.at(-1)?.seq ?? index.seq, total, offsets };
}

/** Whether changes have put so many records between two entries that a page between them is read slowly. */
function isCoarse({ entries, offsets, total }: OffsetIndex): boolean {
  const planned = Math.ceil(total / Math.max(1, entries.length));
  const bound = Math.max(COARSE_RECORDS, 4 * planned);
  return [...offsets, total].some((end, block) => end - (offsets[block - 1] ?? 0) > bound);
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

/** A view whose index could not be built is read without one for so long. */
const REFUSED_MS = 600_000;
/** A count of a view without an index holds for so long. */
const COUNTED_MS = 60_000;
/** Of an entry beside its values. */
const ENTRY_BYTES = 120;
/** Of a view, with its key, that is only counted or whose index has no entries. */
const VIEW_BYTES = 300;

/** A view that was counted, whole or up to some number. */
export interface CountedView extends Position {
  /** It had so many records at that position; or more, unless `isWhole`. */
  atLeast: number;
  isWhole: boolean;
}

interface Cached {
  table: Table;
  /** Null: it can't be built, or is too large. Undefined: none was built. */
  index?: OffsetIndex | null;
  counted?: CountedView;
  bytes: number;
  at: number;
}

/**
 * The offset indexes and counts of long views on a server, the least recently used dropped first. Readers share one only if their bound filters
 * are the same, and so their row rights. An index follows the log when it is used: edits don't know of it.
 */
export class OffsetIndexes {
  /** How the database orders texts: an index follows changes by it. */
  readonly textOrder: TextOrder;
  readonly #deps;
  /** In the order of their use. */
  readonly #cached = new Map<string, Cached>();
  readonly #building = new Map<string, { table: Table; ended: Promise<void> }>();
  #bytes = 0;
  #isClosed = false;

  constructor(deps: {
    /** An index is built in a turn of the reader whose page asked for it. */
    turns: ReadTurns;
    textOrder: TextOrder;
    maxBytes: number;
    timeoutMs: number;
    /** A failed build: its pages are read without an index, and the next one begins another build. */
    onError: (error: unknown) => void;
  }) {
    this.#deps = deps;
    this.textOrder = deps.textOrder;
  }

  /** How many records a view had when it was last counted, in whatever order, or by its index. */
  counted(table: Table, view: View): CountedView | null {
    const indexed = this.#of(table, keyOf(table, view));
    const cached = this.#of(table, countKeyOf(table, view));
    const isRecent = cached && performance.now() - cached.at < COUNTED_MS;
    const counted = (isRecent && cached.counted) || null;
    // The later one: the other may be of an epoch that has ended, or many changes behind.
    if (!indexed?.index || (counted && cached && cached.at > indexed.at)) return counted;
    const { epoch, seq, total } = indexed.index;
    return { epoch, seq, atLeast: total, isWhole: true };
  }

  /** Stores the count of a view, which pages in any order use. */
  storeCount(table: Table, view: Pick<View, "filter">, counted: CountedView): void {
    this.#store(countKeyOf(table, view), { table, counted, bytes: VIEW_BYTES });
  }

  /** The index of a view as it was last used. Undefined: there is none yet. Null: it can't be built. */
  find(table: Table, view: View): OffsetIndex | null | undefined {
    const cached = this.#of(table, keyOf(table, view));
    if (!cached) return undefined;
    const isTriedAgain = cached.index === null && performance.now() - cached.at > REFUSED_MS;
    return isTriedAgain ? undefined : cached.index;
  }

  /** Begins to build the index of a view, once for all readers, unless there is one. Nobody waits for it. */
  build(reader: { id: string }, table: Table, view: View, where: RawBuilder<SqlBool>): void {
    const key = keyOf(table, view);
    if (this.#isClosed || this.#building.get(key)?.table === table) return;
    if (this.find(table, view) !== undefined) return;
    const { turns, onError } = this.#deps;
    const building = {
      table,
      ended: turns
        .run({ subject: reader }, async () => {
          if (!this.#isClosed) this.#put(key, table, await this.#build(table, view, where));
        })
        .catch(onError)
        .finally(() => {
          if (this.#building.get(key) === building) this.#building.delete(key);
        }),
    };
    this.#building.set(key, building);
  }

  /** Begins no further builds, and waits for those that run. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#building.values()].map(({ ended }) => ended));
  }

  /** An index at the position that a snapshot sees, forgotten if it became coarse. Null, and forgotten, if the log does not lead there. */
  async advance(snapshot: Db, index: OffsetIndex, view: View): Promise<OffsetIndex | null> {
    const key = keyOf(index.table, view);
    const current = await advanceOffsetIndex(snapshot, index, view, this.textOrder);
    if (current && !isCoarse(current)) this.#put(key, index.table, current);
    else this.#drop(key);
    return current;
  }

  async #build(table: Table, view: View, where: RawBuilder<SqlBool>): Promise<OffsetIndex | null> {
    const { turns, timeoutMs } = this.#deps;
    const snapshot = await openSnapshot(turns.database.kysely);
    try {
      await execute(snapshot)`select set_config('statement_timeout', ${`${timeoutMs}ms`}, true)`;
      return await buildOffsetIndex(snapshot, table, view, where);
    } catch (error) {
      if (isTimedOut(error)) return null;
      throw error;
    } finally {
      await snapshot.rollback().execute();
    }
  }

  #of(table: Table, key: string): Cached | null {
    const cached = this.#cached.get(key);
    return cached?.table === table ? cached : null;
  }

  #put(key: string, table: Table, index: OffsetIndex | null): void {
    const before = this.#cached.get(key)?.index;
    // Another page may have been read at a later position.
    if (index && before?.epoch === index.epoch && before.seq > index.seq) return;
    const isSame = before && before.entries === index?.entries;
    const bytes = (isSame && this.#cached.get(key)?.bytes) || bytesOf(index);
    if (bytes <= this.#deps.maxBytes) this.#store(key, { table, index, bytes });
    else this.#store(key, { table, index: null, bytes: bytesOf(null) });
  }

  #store(key: string, cached: Omit<Cached, "at">): void {
    this.#drop(key);
    this.#cached.set(key, { ...cached, at: performance.now() });
    this.#bytes += cached.bytes;
    for (const oldest of this.#cached.keys()) {
      if (this.#bytes <= this.#deps.maxBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#cached.get(key)?.bytes ?? 0;
    this.#cached.delete(key);
  }
}

const keyOf = ({ name }: Table, { filter, sort }: View) => digestOf([name, filter, sort]);
const countKeyOf = ({ name }: Table, { filter }: Pick<View, "filter">) => digestOf([name, filter]);

/** Filters may be long; a digest of one is as good. */
function digestOf(parts: unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64");
}

/** Its approximate memory. */
function bytesOf(index: OffsetIndex | null): number {
  const entries = index?.entries ?? [];
  return entries.reduce(
    (sum, entry) => sum + ENTRY_BYTES + 2 * JSON.stringify(entry).length,
    VIEW_BYTES,
  );
}
