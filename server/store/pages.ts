import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Filter, SortKey } from "../../shared/filter/filter.ts";
import { fieldKinds, type Table, type Values } from "../../shared/model/model.ts";
import type { Page } from "../../shared/protocol/feed.ts";
import type { Position } from "../../shared/protocol/position.ts";
import { documentExpression } from "./columns.ts";
import type { Database, Db } from "./database.ts";
import { type LabelSources, orderColumns } from "./filter-columns.ts";
import { orderBySql, orderJoins } from "./filter-sql.ts";
import {
  isReadByGroups,
  matchesInGroups,
  partsOfGroups,
  readShownGroups,
} from "./grouped-order.ts";
import { entryRef, idRef, quoted, tableRef } from "./identifiers.ts";
import { isTimedOut } from "./is-unavailable.ts";
import { type CountedView, entryAt, type OffsetIndexes } from "./offset-index.ts";
import { type Place, partsFrom } from "./seek.ts";
import { openSnapshot } from "./snapshot.ts";
import { execute, rowOf } from "./statement.ts";
import { idsByLabel, idsOfParts, sortedIds, viewCondition } from "./view-sql.ts";

/** A page to read: the filter is bound, checked and includes the reader's row rights. */
export interface PageRequest {
  filter: Filter | null;
  sort: readonly SortKey[];
  /** Where the labels of the links and users are by which it is sorted. */
  labels?: LabelSources | undefined;
  /** A view, whose reader may see it: its order by hand takes the place of the order of entry. Not with `after`. */
  orderOf?: string | undefined;
  /** Only records behind this place, or from the beginning; the records have their entry numbers then. */
  after?: Place | null;
  offset: number;
  limit: number;
  /** Only these are read: hidden fields never leave the database. */
  fields: readonly string[];
  /** A page whose values are larger as JSON is not read: `PageTooLarge` is thrown. */
  maxBytes?: number | undefined;
  /** Matches are counted up to here with every page, and beyond for as long as `countMs`. */
  exactTotal: number;
  countMs?: number;
  /** Orders that begin with a field of few values are read value by value in tables of so many records; for tests. */
  groupedFrom?: number;
  /** Those of the server, for a view that does not depend on the time, and who reads it. */
  indexes?: { of: OffsetIndexes; reader: { id: string } } | undefined;
}

/** Pages further down are read by the offset index of their view. */
const NEAR_MAX_OFFSET = 1_000;
/** A count is used for later pages until so many changes. */
const COUNTED_FURTHER = 1_000;

/** The values of a page take more bytes than allowed. */
export class PageTooLarge extends Error {
  readonly bytes: number;

  constructor(bytes: number) {
    super("The values of a page take more bytes than allowed.");
    this.bytes = bytes;
  }
}

/** If `totalExact` is false, there are more than `total`. */
export interface StoredPage extends Omit<Page, "records"> {
  records: { id: string; values: Values; entry?: number }[];
}

/**
 * A page and its feed position, read by one statement and so in one snapshot: a change is either in the page
 * or beyond its `seq`. Ids are sorted first and the rows joined afterwards, so that a deep page costs an
 * index scan and not a sort of whole rows. Of a view with an order by hand the ids of all matches are sorted: no index has its ranks.
 *
 * Its total is counted, never guessed: Postgres assumes that a third of a table contains a text. A long view is counted beyond
 * `exactTotal` once, for as long as `countMs`; later pages know that count until changes or time have made it useless. Where the time
 * was too short the total is a bound. Only all records of a table have statistics of their own, for a scroll bar.
 */
export async function readPage(
  { kysely }: Database,
  table: Table,
  request: PageRequest,
): Promise<StoredPage> {
  const where = viewCondition(table, request.filter);
  const isByHand = request.orderOf !== undefined;
  const isFar = !isByHand && request.offset > NEAR_MAX_OFFSET;
  const indexed = isFar && (await readByIndex(kysely, table, request, where));
  if (indexed) return indexed;
  const { indexes, exactTotal } = request;
  const isGrouped =
    !isFar &&
    !isByHand &&
    (await isReadByGroups({ kysely }, table, request.sort, request.groupedFrom));
  const read = (known?: number) =>
    isGrouped
      ? readByGroups(kysely, table, request, where, known)
      : readWhole(kysely, table, request, where, { known, ids: idsAfter(table, request, where) });
  const described = async (page: StoredPage, counted: CountedView) => {
    if (isFar) indexes?.of.build(indexes.reader, table, request, where);
    const estimate = request.filter === null ? await estimateTotal(kysely, table) : null;
    return { ...page, ...totalOf(page, counted, { exactTotal, estimate }) };
  };
  const known = indexes?.of.counted(table, request);
  if (known && known.atLeast > exactTotal) {
    const page = await read(known.atLeast);
    if (atLeastAt(page, known) > exactTotal) return described(page, known);
  }
  const page = await read();
  if (page.total <= exactTotal) return { ...page, totalExact: true };
  const { epoch, seq, total: atLeast } = page;
  const counted = (await countInTime(kysely, table, where, request.countMs ?? 0)) ?? {
    ...{ epoch, seq, atLeast, isWhole: false },
  };
  indexes?.of.storeCount(table, request, counted);
  return described(page, counted);
}

/** Reads the ids behind the place from which a page goes on; undefined if there is none. */
function idsAfter(
  table: Table,
  { after, sort, limit }: PageRequest,
  where: RawBuilder<SqlBool>,
): RawBuilder<unknown> | undefined {
  if (!after) return undefined;
  const others = sql<SqlBool>`${where} and ${idRef("t")} <> ${after.id}`;
  return idsOfParts(table, others, partsFrom(fieldKinds(table), sort, after), { offset: 0, limit });
}

/** So many records a view has at the position of a page. A change adds or removes one record at most. */
function atLeastAt({ epoch, seq }: Position, counted: CountedView): number {
  return epoch === counted.epoch ? counted.atLeast - Math.abs(seq - counted.seq) : 0;
}

function totalOf(
  page: Position,
  counted: CountedView,
  { exactTotal, estimate }: { exactTotal: number; estimate: number | null },
): Pick<StoredPage, "total" | "totalExact" | "estimate"> {
  const atLeast = atLeastAt(page, counted);
  if (counted.isWhole && atLeast === counted.atLeast) return { total: atLeast, totalExact: true };
  const total = counted.isWhole ? Math.max(exactTotal, atLeast - 1) : exactTotal;
  const isOfUse = estimate !== null && estimate > total;
  return { total, totalExact: false, ...(isOfUse && { estimate }) };
}

/** The whole count of a view, and the position that it shows; null if it takes longer. */
async function countInTime(
  kysely: Db,
  table: Table,
  where: RawBuilder<SqlBool>,
  timeoutMs: number,
): Promise<CountedView | null> {
  if (timeoutMs === 0) return null;
  try {
    return await kysely.transaction().execute(async (tx) => {
      await execute(tx)`select set_config('statement_timeout', ${`${timeoutMs}ms`}, true)`;
      const counted = await rowOf<CountedView>(tx)`
        select f.epoch, f.head as seq, true as "isWhole",
          (select count(*) from ${tableRef(table)} t where ${where}) as "atLeast"
        from watchfloor.feed f where f.table_name = ${table.name}`;
      return counted ?? null;
    });
  } catch (error) {
    if (isTimedOut(error)) return null;
    throw error;
  }
}

/** Where a page is counted for later ones as well, so many more records, which changes may remove meanwhile. */
function countMax({ exactTotal, indexes }: PageRequest): number {
  return exactTotal + 1 + (indexes ? COUNTED_FURTHER : 0);
}

/** From the nearest entry of the view's offset index on. Null if it has none yet, or few records: those are sorted as fast. */
async function readByIndex(
  kysely: Db,
  table: Table,
  request: PageRequest,
  where: RawBuilder<SqlBool>,
): Promise<StoredPage | null> {
  const indexes = request.indexes?.of;
  const index = indexes?.find(table, request);
  if (!indexes || !index) return null;
  const isGrouped = await isReadByGroups({ kysely }, table, request.sort, request.groupedFrom);
  const snapshot = await openSnapshot(kysely);
  try {
    const current = await indexes.advance(snapshot, index, request);
    const entry = current && entryAt(current, request.offset);
    if (!entry || current.total <= request.exactTotal) return null;
    const groups = isGrouped ? await readShownGroups(snapshot, table, request) : null;
    const later = groups
      ? partsOfGroups(table, request.sort, groups, { place: entry.place, texts: indexes.textOrder })
      : undefined;
    const parts = partsFrom(fieldKinds(table), request.sort, entry.place, later);
    const { limit } = request;
    const ids = idsOfParts(table, where, parts, { offset: request.offset - entry.offset, limit });
    const page = await readWhole(snapshot, table, request, where, { known: current.total, ids });
    return { ...page, totalExact: true };
  } finally {
    await snapshot.rollback().execute();
  }
}

/** All statements must see the same records. */
async function readByGroups(
  kysely: Db,
  table: Table,
  request: PageRequest,
  where: RawBuilder<SqlBool>,
  known?: number,
): Promise<StoredPage> {
  const snapshot = await openSnapshot(kysely);
  try {
    const groups = await readShownGroups(snapshot, table, request);
    if (!groups) {
      const byLabel = idsByLabel(table, where, request) ?? undefined;
      return await readWhole(snapshot, table, request, where, { known, ids: byLabel });
    }
    const ids = idsOfParts(table, where, partsOfGroups(table, request.sort, groups), request);
    const field = request.sort[0]?.field ?? "";
    const matches = matchesInGroups(table, field, groups, where, countMax(request));
    return await readWhole(snapshot, table, request, where, { known, ids, matches });
  } finally {
    await snapshot.rollback().execute();
  }
}

/** What is known of a view before a page of it is read. */
interface Reading {
  /** The number of matches. */
  known?: number | undefined;
  /** Reads the page's ids in their order, where many records match. */
  ids?: RawBuilder<unknown> | undefined;
  /** Reads the matches, up to `countMax`, in any order. */
  matches?: RawBuilder<unknown>;
}

/**
 * Matches that were not counted yet are found once, up to `countMax`: if they are fewer, the page is sorted from them. Otherwise a
 * condition that no index serves would be evaluated twice for all records, first for the total and then for the page; and group by
 * group, or in an index of the order, Postgres would search for the few.
 */
async function readWhole(
  kysely: Db,
  table: Table,
  request: PageRequest,
  where: RawBuilder<SqlBool>,
  { known, ids = sortedIds(table, request, where), matches }: Reading,
): Promise<StoredPage> {
  const max = countMax(request);
  const some = matches ?? sql`select t.* from ${tableRef(table)} t where ${where} limit ${max}`;
  const isSearched = known === undefined && request.filter !== null && !request.after;
  const found = isSearched
    ? sql`with found as materialized (${some}), counted as materialized (select count(*) as total from found)`
    : sql``;
  const counted = isSearched
    ? sql`(select total from counted)`
    : sql`(select count(*) from (select 1 from ${tableRef(table)} t where ${where} limit ${max}) c)`;
  const columns = orderColumns(table, "t", request);
  const order = orderBySql(request.sort, columns);
  const chosen = isSearched
    ? sql`(select t.${idRef()} from found t ${orderJoins(request.sort, columns)} where ${counted} < ${max}
        order by ${order} limit ${request.limit} offset ${request.offset})
      union all (select i.${idRef()} from (${ids}) i where ${counted} >= ${max})`
    : ids;
  const page = await rowOf<StoredPage & { bytes: number | null }>(kysely)`
    ${found} select f.epoch, f.head as seq, ${known === undefined ? counted : sql.lit(known)}::int as total,
      coalesce(p.records, '[]'::json) as records, p.bytes
    from watchfloor.feed f cross join (${pageQuery(table, request, chosen)}) p
    where f.table_name = ${table.name}
  `;
  if (!page) throw new Error(`Table ${table.name} has no feed.`);
  const { bytes, ...stored } = page;
  if (bytes !== null && bytes > (request.maxBytes ?? bytes)) throw new PageTooLarge(bytes);
  return stored;
}

/** "offset 0" stops the planner from building each document twice. */
function pageQuery(table: Table, request: PageRequest, ids: RawBuilder<unknown>) {
  const id = idRef();
  const entry = request.after === undefined ? sql`` : sql`'entry', p.entry,`;
  return sql`
    select max(p.bytes)::bigint as bytes,
      json_agg(json_build_object('id', p.id, ${entry} 'values', p.doc) order by p.place)
        filter (where p.bytes <= coalesce(${request.maxBytes ?? null}::bigint, p.bytes)) as records
    from (
      select d.*, sum(octet_length(d.doc::text)) over () as bytes from (
        select s.place, t.${id} as id, ${entryRef("t")} as entry, (${documentExpression(table, "t", request.fields)})::json as doc
        from (
          select i.${id}, row_number() over () as place from (${ids}) i
        ) s join ${tableRef(table)} t on t.${id} = s.${id} offset 0
      ) d
    ) p`;
}

/** How many records a table has by what Postgres found when it analysed it last, or has counted of its writes; null before either. */
async function estimateTotal(kysely: Db, table: Table): Promise<number | null> {
  const found = await rowOf<{ written: number; analysed: number }>(kysely)`
    select pg_stat_get_live_tuples(c.oid) as written, c.reltuples as analysed
    from pg_class c where c.oid = ${quoted(table.name)}::regclass`;
  const { written = 0, analysed = 0 } = found ?? {};
  return Math.round(analysed > 0 ? analysed : written) || null;
}
