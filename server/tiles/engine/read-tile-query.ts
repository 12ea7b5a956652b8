import { usesClock } from "../../../shared/filter/bind-filter.ts";
import { writeInstant } from "../../../shared/filter/clock.ts";
import { kindOfType } from "../../../shared/model/field-types.ts";
import { type Field, fieldKinds, findField, type Table } from "../../../shared/model/model.ts";
import type { Db } from "../../store/database.ts";
import type { LabelSources } from "../../store/filter-columns.ts";
import { type OtherGroups, readLargestGroups } from "../../store/tiles/largest-groups.ts";
import {
  type GroupRow,
  readGroups,
  readNextTime,
  readTop,
  readValueCounts,
} from "../../store/tiles/read-groups.ts";
import { clockSchedule, nextDay } from "../plan/clock-schedule.ts";
import { conditionAt, type MeasureQuery, type TileQuery } from "../plan/tile-query.ts";
import { timeBounds } from "../plan/time-bounds.ts";
import { SPARE_RECORDS, type TopRecord } from "./top-records.ts";
import { countRuleOf, VALUES_MAX } from "./value-counts.ts";

/** The result of one reading. */
export interface Reading {
  rows: GroupRow[] | null;
  /** All groups except those in `rows`, combined; null if none is left out. */
  others: OtherGroups | null;
  records: TopRecord[] | null;
  /** The requested buckets. */
  bounds: number[] | null;
  /** The clock alone changes the result then; null: never. */
  wakeAt: number | null;
  /** The instant of the reading. */
  now: number;
  costMs: number;
}

/** Up to this many groups are updated from changes. */
const GROUPS_MAX = 5_000;
/** Beyond it, this many of the largest are read. A tile shows no more rows. */
const LARGEST_GROUPS = 100;

/** More groups than can be updated, in an order whose first can't be known without all. */
export class TooManyGroups extends Error {}

/** Reads a query in a transaction's snapshot, for an instant. */
export async function readTileQuery(
  db: Db,
  live: { query: TileQuery; table: Table; labels?: LabelSources; hasManyValues?: boolean },
  now: number,
): Promise<Reading> {
  const started = performance.now();
  const { query, table } = live;
  const bounds = query.kind === "figures" ? boundsAt(query, table, now) : null;
  const found = await readResult(db, live, { now, bounds });
  const wakeAt = await nextClockChange(db, query, table, { now, bounds });
  return { ...found, bounds, wakeAt, now, costMs: performance.now() - started };
}

interface At {
  now: number;
  bounds: number[] | null;
}

async function readResult(
  db: Db,
  { query, table, labels = {}, hasManyValues = false }: Parameters<typeof readTileQuery>[1],
  { now, bounds }: At,
): Promise<Pick<Reading, "rows" | "records" | "others">> {
  const filter = conditionAt(query, new Date(now).toISOString());
  switch (query.kind) {
    case "recent":
      return { rows: null, records: null, others: null };
    case "top": {
      const { sort } = query;
      const limit = query.limit * SPARE_RECORDS;
      const fields = [...new Set([...query.fields, ...sort.map(({ field }) => field)])];
      const records = await readTop(db, table, { filter, sort, labels, limit, fields });
      return { rows: null, records, others: null };
    }
    case "figures": {
      const request = {
        filter,
        op: query.op,
        field: fieldOf(table, query.field),
        percentile: query.percentile,
        group: fieldOf(table, query.group),
        time: timeOf(query, table, bounds),
        maxGroups: GROUPS_MAX + 1,
      };
      const { field } = request;
      const counted = field && { name: field.name, kind: kindOfType[field.type], scale: 0 };
      if (field && counted && !hasManyValues && countRuleOf(query.op, counted, query.percentile)) {
        const values = await readValueCounts(db, table, { ...request, field }, VALUES_MAX);
        if (values) return { rows: values, records: null, others: null };
      }
      const rows = await readGroups(db, table, request);
      if (rows.length <= GROUPS_MAX) return { rows, records: null, others: null };
      if (!query.largest) throw new TooManyGroups("too many groups for this order");
      const largest = await readLargestGroups(db, table, request, LARGEST_GROUPS);
      return { ...largest, records: null };
    }
  }
}

/** The days of a date field have no zone: their bounds mean days and are written in UTC. */
function boundsAt({ time, zone }: MeasureQuery, table: Table, now: number): number[] | null {
  if (!time) return null;
  const { bucket, count } = time;
  if (!isDate(fieldOf(table, time.field))) return timeBounds(now, bucket, count, zone);
  const today = Date.parse(`${writeInstant(now, zone).slice(0, 10)}T00:00:00Z`);
  return timeBounds(today, bucket, count, "UTC");
}

function timeOf({ time }: MeasureQuery, table: Table, bounds: number[] | null) {
  const field = time && fieldOf(table, time.field);
  if (!field || !bounds) return null;
  const length = isDate(field) ? "2026-11-21".length : undefined;
  return { field, bounds: bounds.map((at) => new Date(at).toISOString().slice(0, length)) };
}

async function nextClockChange(
  db: Db,
  query: TileQuery,
  table: Table,
  { now, bounds }: At,
): Promise<number | null> {
  const times: number[] = [];
  if (query.kind === "figures" && query.time && bounds) {
    const isDays = isDate(fieldOf(table, query.time.field));
    times.push(isDays ? nextDay(now, query.zone) : (bounds.at(-1) ?? now));
  }
  if (query.filter && usesClock(query.filter)) {
    const { at, relativeBounds } = clockSchedule(query.filter, fieldKinds(table), now, query.zone);
    if (at !== null) times.push(at);
    for (const { field, seconds } of relativeBounds) {
      const found = fieldOf(table, field);
      // one that is reached this moment may cross in the next
      const from = new Date(now - seconds * 1_000).toISOString();
      const next = found && (await readNextTime(db, table, found, from));
      // microseconds are truncated on the way: the next full millisecond is certainly past it
      if (next) times.push(Date.parse(next) + seconds * 1_000 + 1);
    }
  }
  return times.length > 0 ? Math.min(...times) : null;
}

/** The field of that name; null if there is none, or none is named. */
export function fieldOf(table: Table, name: string | null): Field | null {
  return (name === null ? undefined : findField(table, name)) ?? null;
}

function isDate(field: Field | null): boolean {
  return field !== null && kindOfType[field.type] === "date";
}
