import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Table } from "../../shared/model/model.ts";
import { columnName, documentExpression, idColumn } from "./columns.ts";
import type { Db } from "./database.ts";
import {
  canBeNamed,
  ENTRIES_MAX,
  ENTRY_MAX_CHARS,
  ENTRY_RECORDS,
  type OffsetIndex,
  type View,
} from "./offset-index.ts";
import { type Place, partsFrom } from "./seek.ts";
import { rowsOf } from "./statement.ts";
import { idsOfParts, sortedIds } from "./view-sql.ts";

/** A block of so many times the planned records is split. */
export const SPLIT_AT = 4;

type Entry = { place: Place; offset: number };

/**
 * An index whose blocks, from one entry to the next, have a bounded size after changes that it followed: blocks that grew
 * are split, and small ones joined with the next. `snapshot` must see the position of `after`.
 */
export async function boundBlocks(
  snapshot: Db,
  { before, after }: { before: OffsetIndex; after: OffsetIndex },
  view: View,
  where: RawBuilder<SqlBool>,
): Promise<OffsetIndex> {
  const planned =
    ENTRY_RECORDS * Math.max(1, Math.ceil(after.total / (ENTRY_RECORDS * ENTRIES_MAX)));
  const sizesBefore = blockSizes(before);
  const entries: Entry[] = [];
  let isSame = true;
  for (const [block, size] of blockSizes(after).entries()) {
    const place = after.entries[block - 1];
    const offset = after.offsets[block - 1] ?? 0;
    if (place) entries.push({ place, offset });
    // Tried again only at twice the size: values may be too long for entries.
    if (doublings(size, planned) <= doublings(sizesBefore[block] ?? 0, planned)) continue;
    const added = await readEntries(snapshot, after.table, view, { where, place, size, planned });
    entries.push(...added.map((entry) => ({ ...entry, offset: entry.offset + offset })));
    isSame &&= added.length === 0;
  }
  const joined = joinSmall(entries, after.total, planned);
  if (isSame && joined.length === after.entries.length) return after;
  return {
    ...after,
    entries: joined.map(({ place }) => place),
    offsets: joined.map(({ offset }) => offset),
  };
}

/** How many records are before the first entry, and from each entry to the next or the end. */
export function blockSizes({ offsets, total }: Pick<OffsetIndex, "offsets" | "total">): number[] {
  return [...offsets, total].map((end, block) => end - (offsets[block - 1] ?? 0));
}

/** How often a block is twice the bound: 0 within it. */
function doublings(size: number, planned: number): number {
  return Math.max(0, Math.ceil(Math.log2(Math.max(1, size) / (SPLIT_AT * planned))));
}

/** Leaves out entries between blocks that together are not larger than planned. */
function joinSmall(entries: readonly Entry[], total: number, planned: number): Entry[] {
  const joined: Entry[] = [];
  for (const [at, entry] of entries.entries()) {
    const end = entries[at + 1]?.offset ?? total;
    const previous = joined.at(-1);
    if (!previous || end - previous.offset >= planned) joined.push(entry);
  }
  return joined;
}

interface Block {
  where: RawBuilder<SqlBool>;
  /** Where it begins; undefined: at the beginning of the view. */
  place: Place | undefined;
  size: number;
  planned: number;
}

/** The places within a block at which it is split, with the number of records of the block before each. */
async function readEntries(
  snapshot: Db,
  table: Table,
  { sort }: View,
  { where, place, size, planned }: Block,
): Promise<Entry[]> {
  const range = { offset: 0, limit: size };
  const ids = place
    ? idsOfParts(table, where, partsFrom(sort, place), range)
    : sortedIds(table, { sort, ...range }, where);
  const fields = table.fields.filter(({ name }) => sort.some(({ field }) => field === name));
  const names = fields.map(({ name }) => name);
  const read = [idColumn, ...fields.map(columnName)].map((column) => sql`t.${sql.id(column)}`);
  const number = sql.id("watchfloor place"); // beside columns of other programs
  const rows = await rowsOf<Place & { place: number }>(snapshot)`
    select s.${sql.id(idColumn)} as id, s.${number} as place, d.values from (
      select ${sql.join(read)}, p.${number} from (
        select i.${sql.id(idColumn)}, row_number() over () as ${number} from (${ids}) i
      ) p join ${sql.id(table.name)} t on t.${sql.id(idColumn)} = p.${sql.id(idColumn)}
      where p.${number} % ${sql.lit(planned)} = 1
    ) s cross join lateral (select ${documentExpression(table, "s", names)} as values offset 0) d
    where length(d.values::text) <= ${sql.lit(ENTRY_MAX_CHARS)}
    order by s.${number}`;
  return rows
    .filter(({ place: at, values }) => (at > 1 || !place) && canBeNamed(table, sort, values))
    .map(({ id, values, place: at }) => ({ place: { id, values }, offset: at - 1 }));
}
