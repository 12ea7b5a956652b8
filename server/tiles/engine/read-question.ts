import { usesClock } from "../../../shared/filter/bind-filter.ts";
import { writeInstant } from "../../../shared/filter/clock.ts";
import {
  type Field,
  fieldKinds,
  findField,
  kindOfType,
  type Table,
  type Values,
} from "../../../shared/model/model.ts";
import type { Db } from "../../store/database.ts";
import {
  readFigures,
  readNextTime,
  readTop,
  type StoredFigure,
} from "../../store/tiles/figures.ts";
import { type OtherGroups, readLargestGroups } from "../../store/tiles/largest-groups.ts";
import { clockMoves, nextDay } from "../plan/clock-moves.ts";
import { conditionAt, type FiguresQuestion, type Question } from "../plan/question.ts";
import { timeBounds } from "../plan/time-bounds.ts";
import { SPARE_RECORDS } from "./top-records.ts";

/** What one reading of the database brought. */
export interface Reading {
  rows: StoredFigure[] | null;
  /** All groups but those in `rows`, as one; null where none is left out. */
  others: OtherGroups | null;
  records: { id: string; values: Values }[] | null;
  /** The buckets that were asked for. */
  bounds: number[] | null;
  /** The clock alone changes the answer then; null: never. */
  wakeAt: number | null;
  /** The instant for which it was asked. */
  now: number;
  costMs: number;
}

/** So many groups are kept up to date by changes. */
const GROUPS_MAX = 5_000;
/** Where there are more, so many of the largest are read. A tile shows no more rows. */
const LARGEST_GROUPS = 100;

/** More groups than can be kept, in an order in which the first can't be told without all. */
export class TooManyGroups extends Error {}

/** Answers a question in a transaction's snapshot, for an instant. */
export async function readQuestion(
  db: Db,
  question: Question,
  table: Table,
  now: number,
): Promise<Reading> {
  const began = performance.now();
  const bounds = question.kind === "figures" ? boundsAt(question, table, now) : null;
  const found = await readAnswer(db, question, table, { now, bounds });
  const wakeAt = await nextMove(db, question, table, { now, bounds });
  return { ...found, bounds, wakeAt, now, costMs: performance.now() - began };
}

interface At {
  now: number;
  bounds: number[] | null;
}

async function readAnswer(
  db: Db,
  question: Question,
  table: Table,
  { now, bounds }: At,
): Promise<Pick<Reading, "rows" | "records" | "others">> {
  const filter = conditionAt(question, new Date(now).toISOString());
  switch (question.kind) {
    case "recent":
      return { rows: null, records: null, others: null };
    case "top": {
      const { sort } = question;
      const limit = question.limit * SPARE_RECORDS;
      const fields = [...new Set([...question.fields, ...sort.map(({ field }) => field)])];
      const records = await readTop(db, table, { filter, sort, limit, fields });
      return { rows: null, records, others: null };
    }
    case "figures": {
      const request = {
        filter,
        op: question.op,
        field: fieldOf(table, question.field),
        percentile: question.percentile,
        group: fieldOf(table, question.group),
        time: timeOf(question, table, bounds),
        maxGroups: GROUPS_MAX + 1,
      };
      const rows = await readFigures(db, table, request);
      if (rows.length <= GROUPS_MAX) return { rows, records: null, others: null };
      if (!question.largest) throw new TooManyGroups("too many groups for this order");
      const largest = await readLargestGroups(db, table, request, LARGEST_GROUPS);
      return { ...largest, records: null };
    }
  }
}

/** The days of a date field have no zone: their bounds stand for days and are written in UTC. */
function boundsAt({ time, zone }: FiguresQuestion, table: Table, now: number): number[] | null {
  if (!time) return null;
  const { bucket, count } = time;
  if (!isDate(fieldOf(table, time.field))) return timeBounds(now, bucket, count, zone);
  const today = Date.parse(`${writeInstant(now, zone).slice(0, 10)}T00:00:00Z`);
  return timeBounds(today, bucket, count, "UTC");
}

function timeOf({ time }: FiguresQuestion, table: Table, bounds: number[] | null) {
  const field = time && fieldOf(table, time.field);
  if (!field || !bounds) return null;
  const length = isDate(field) ? "2026-11-21".length : undefined;
  return { field, bounds: bounds.map((at) => new Date(at).toISOString().slice(0, length)) };
}

async function nextMove(
  db: Db,
  question: Question,
  table: Table,
  { now, bounds }: At,
): Promise<number | null> {
  const moves: number[] = [];
  if (question.kind === "figures" && question.time && bounds) {
    const isDays = isDate(fieldOf(table, question.time.field));
    moves.push(isDays ? nextDay(now, question.zone) : (bounds.at(-1) ?? now));
  }
  if (question.filter && usesClock(question.filter)) {
    const { at, flowing } = clockMoves(question.filter, fieldKinds(table), now, question.zone);
    if (at !== null) moves.push(at);
    for (const { field, seconds } of flowing) {
      const found = fieldOf(table, field);
      // one that is reached this moment may cross in the next
      const from = new Date(now - seconds * 1_000).toISOString();
      const next = found && (await readNextTime(db, table, found, from));
      // microseconds are cut off by the way: the next full millisecond is certainly past it
      if (next) moves.push(Date.parse(next) + seconds * 1_000 + 1);
    }
  }
  return moves.length > 0 ? Math.min(...moves) : null;
}

function fieldOf(table: Table, name: string | null): Field | null {
  return (name === null ? undefined : findField(table, name)) ?? null;
}

function isDate(field: Field | null): boolean {
  return field !== null && kindOfType[field.type] === "date";
}
