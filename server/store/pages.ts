import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Filter, SortKey } from "../../shared/filter/filter.ts";
import { fieldKinds, type Table, type Values } from "../../shared/model/model.ts";
import type { Page } from "../../shared/protocol/feed.ts";
import { documentExpression } from "./columns.ts";
import type { Database, Db } from "./database.ts";
import type { LabelSources } from "./filter-columns.ts";
import {
  isReadByGroups,
  matchesInGroups,
  partsOfGroups,
  readShownGroups,
  type ShownGroups,
} from "./grouped-order.ts";
import { idRef, tableRef } from "./identifiers.ts";
import { entryAt, type OffsetIndexes } from "./offset-index.ts";
import { partsFrom } from "./seek.ts";
import { openSnapshot } from "./snapshot.ts";
import { numberOf, rowOf } from "./statement.ts";
import { idsByLabel, idsOfParts, sortedIds, viewCondition } from "./view-sql.ts";

/** A page to read: the filter is bound, checked and includes the reader's row rights. */
export interface PageRequest {
  filter: Filter | null;
  sort: readonly SortKey[];
  /** Where the labels of the links and users are by which it is sorted. */
  labels?: LabelSources | undefined;
  offset: number;
  limit: number;
  /** Only these are read: hidden fields never leave the database. */
  fields: readonly string[];
  /** A page whose values are larger as JSON is not read: `PageTooLarge` is thrown. */
  maxBytes?: number | undefined;
  /** Matches are counted up to here, and estimated beyond. */
  exactTotal: number;
  /** The reader's row rights hide records: an estimate, which is made from statistics of all records, would reveal how many. */
  hidesRows: boolean;
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

/** If `totalExact` is false, `total` is an estimate, or at least so many if row rights hide records. */
export interface StoredPage extends Omit<Page, "records"> {
  records: { id: string; values: Values }[];
}

/**
 * A page and its feed position, read by one statement and so in one snapshot: a change is either in the page
 * or beyond its `seq`. Ids are sorted first and the rows joined afterwards, so that a deep page costs an
 * index scan and not a sort of whole rows.
 */
export async function readPage(
  { kysely }: Database,
  table: Table,
  request: PageRequest,
): Promise<StoredPage> {
  const where = viewCondition(table, request.filter);
  const isFar = request.offset > NEAR_MAX_OFFSET;
  const indexed = isFar && (await readByIndex(kysely, table, request, where));
  if (indexed) return indexed;
  const { indexes, exactTotal, hidesRows } = request;
  const isGrouped =
    !isFar && (await isReadByGroups({ kysely }, table, request.sort, request.groupedFrom));
  const read = (known?: number) =>
    isGrouped
      ? readByGroups(kysely, table, request, where, known)
      : readWhole(kysely, table, request, where, known);
  const counted = indexes?.of.counted(table, request);
  // Readers whose row rights hide records share counts with others of the same filter. They never get an estimate, and
  // others never get a lower bound instead of one.
  const beyond = async (atLeast: number, known: number | null) => {
    if (hidesRows) return { total: atLeast, estimate: known };
    const estimate = known ?? (await estimateTotal({ kysely }, table, where));
    return { total: Math.max(estimate, atLeast), estimate };
  };
  if (counted && counted.atLeast > exactTotal) {
    const page = await read(counted.atLeast);
    // A change adds or removes one record at most.
    const changes = Math.abs(page.seq - counted.seq);
    const atLeast = counted.atLeast - changes;
    if (page.epoch === counted.epoch && atLeast > exactTotal) {
      if (isFar) indexes?.of.build(indexes.reader, table, request, where);
      const { total, estimate } = await beyond(atLeast, counted.estimate);
      if (estimate !== counted.estimate) indexes?.of.storeEstimate(table, request, estimate);
      return { ...page, total, totalExact: counted.isExact && changes === 0 };
    }
  }
  const page = await read();
  if (page.total <= exactTotal) return { ...page, totalExact: true };
  if (isFar) indexes?.of.build(indexes.reader, table, request, where);
  const { epoch, seq, total: atLeast } = page;
  const { total, estimate } = await beyond(atLeast, null);
  indexes?.of.storeCount(table, request, { epoch, seq, atLeast, estimate, isExact: false });
  return { ...page, total, totalExact: false };
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
    const page = await readWhole(snapshot, table, request, where, current.total, ids);
    return { ...page, totalExact: true };
  } finally {
    await snapshot.rollback().execute();
  }
}

/**
 * All statements must see the same records. Few matches are sorted as a whole: group by group, Postgres would search for
 * them in each one.
 */
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
    const byLabel = groups ? null : idsByLabel(table, where, request);
    if (!groups && !byLabel) return await readWhole(snapshot, table, request, where, known);
    const total = known ?? (await countInGroups(snapshot, table, request, groups, where));
    const isFew = total <= request.exactTotal;
    const ids =
      groups && !isFew
        ? idsOfParts(table, where, partsOfGroups(table, request.sort, groups), request)
        : byLabel && !isFew
          ? byLabel
          : sortedIds(table, request, where, { isFew });
    return await readWhole(snapshot, table, request, where, total, ids);
  } finally {
    await snapshot.rollback().execute();
  }
}

function countInGroups(
  snapshot: Db,
  table: Table,
  request: PageRequest,
  groups: ShownGroups | null,
  where: RawBuilder<SqlBool>,
): Promise<number> {
  const field = request.sort[0]?.field ?? "";
  const all: ShownGroups = { values: [], areSome: false };
  return numberOf(snapshot)`
    select count(*)::int as total
    from (${matchesInGroups(table, field, groups ?? all, where, countMax(request))}) c`;
}

/** `known`: the number of matches. `ids`: those of the page in their order. */
async function readWhole(
  kysely: Db,
  table: Table,
  request: PageRequest,
  where: RawBuilder<SqlBool>,
  known?: number,
  ids = sortedIds(table, request, where),
): Promise<StoredPage> {
  const counted = sql`(select count(*) from (
    select 1 from ${tableRef(table)} t where ${where} limit ${countMax(request)}) c)`;
  const page = await rowOf<StoredPage & { bytes: number | null }>(kysely)`
    select f.epoch, f.head as seq, ${known === undefined ? counted : sql.lit(known)}::int as total,
      coalesce(p.records, '[]'::json) as records, p.bytes
    from watchfloor.feed f cross join (${pageQuery(table, request, ids)}) p
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
  return sql`
    select max(p.bytes)::bigint as bytes,
      json_agg(json_build_object('id', p.id, 'values', p.doc) order by p.place)
        filter (where p.bytes <= coalesce(${request.maxBytes ?? null}::bigint, p.bytes)) as records
    from (
      select d.*, sum(octet_length(d.doc::text)) over () as bytes from (
        select s.place, t.${id} as id, (${documentExpression(table, "t", request.fields)})::json as doc
        from (
          select i.${id}, row_number() over () as place from (${ids}) i
        ) s join ${tableRef(table)} t on t.${id} = s.${id} offset 0
      ) d
    ) p`;
}

/** The planner's estimate: good enough for a scroll bar over a million records, and marked as one. */
async function estimateTotal(
  { kysely }: Pick<Database, "kysely">,
  table: Table,
  where: RawBuilder<SqlBool>,
): Promise<number> {
  const plan = await rowOf<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(kysely)`
    explain (format json) select 1 from ${tableRef(table)} t where ${where}
  `;
  return plan?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
}
