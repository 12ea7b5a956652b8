import { fieldsOf } from "../../../shared/filter/bind-filter.ts";
import { compileFilter, type RecordPredicate } from "../../../shared/filter/matches.ts";
import { fieldKinds, type Table, type Values } from "../../../shared/model/model.ts";
import { type CompiledScope, compileScope } from "../../policy/compiled-scope.ts";
import { imageBefore } from "../../policy/project-change.ts";
import type { LabelSources } from "../../store/filter-columns.ts";
import type { LogChange } from "../../store/log-change.ts";
import type { OtherGroups } from "../../store/tiles/largest-groups.ts";
import { type ClockSchedule, clockSchedule } from "../plan/clock-schedule.ts";
import {
  canUpdateIncrementally,
  conditionAt,
  isClocked,
  type MeasureQuery,
  type TileQuery,
} from "../plan/tile-query.ts";
import type { Reading } from "./read-tile-query.ts";
import { type RecentChange, toRecentChange } from "./recent-change.ts";
import { type GroupValue, Tally, type TallyRule, tallyText } from "./tally.ts";
import { tallyRule } from "./tally-rule.ts";
import { type TopRecord, TopRecords } from "./top-records.ts";

/** What is known at the evaluator's position. */
export type TileResult =
  | {
      kind: "figures";
      groupValues: GroupValue[];
      bounds: number[] | null;
      /** All groups except those in `figures`, combined; null if none is left out. */
      others: { groups: number; joined: GroupValue } | null;
    }
  | { kind: "top"; records: TopRecord[] }
  | { kind: "recent"; changes: RecentChange[] };

/** A wallboard that shows the result. */
export interface Subscriber {
  isDirty: boolean;
  /** The queries that must be read together with this one, so that a tile that hides values can be shown. */
  partsBeside(key: string): readonly string[];
  /** Stores what was read in one snapshot, by the keys of the queries. */
  setReadings(read: ReadonlyMap<string, SnapshotReading>): void;
}

/** A query and a reading of it. */
export interface SnapshotReading {
  live: LiveQuery;
  reading: Reading;
}

/**
 * One query and its result. If possible it is updated from changes, exactly; otherwise a relevant change
 * makes it stale, and it is read again. Its only clock is the time that is passed to it.
 */
export class LiveQuery {
  readonly key: string;
  readonly query: TileQuery;
  readonly table: Table;
  /** Of the links and users in its order. */
  readonly labels: LabelSources;
  /** The subscribers. */
  readonly wallboardQueries = new Set<Subscriber>();
  /** Must be read (again): never read, or the result may have changed. */
  isStale = true;
  /** It has a result, of this position or of an earlier one. */
  hasResult = false;
  hasFailed = false;
  hasTooManyGroups = false;
  /** It took too long for a round: it is read separately, and the others don't wait for it. */
  isSlow = false;
  /** A reading of it is in flight, or waits to be stored. */
  isReadSeparately = false;
  /** Not read again before; slow and failing queries are read less often. */
  notBefore = 0;
  failures = 0;
  /** Its field has too many values to count the records of each: it is read again instead. */
  hasManyValues = false;
  readAt = 0;
  /** What the last reading took. */
  costMs = 0;
  verifiedAt = 0;
  /** The clock alone changes the result then. */
  wakeAt: number | null = null;
  /** When a change last concerned it. */
  changedAt: string | null = null;
  readonly #isIncremental: boolean;
  readonly #isClocked: boolean;
  /** The fields on whose values the result depends. */
  readonly #reads: ReadonlySet<string>;
  /** Times of records that the clock passes, and how far it has come; the predicate is bound for `#boundAt`. */
  readonly #relativeBounds: ClockSchedule["relativeBounds"];
  #now: number;
  #boundAt = 0;
  #tally: Tally | null = null;
  /** The last reading has the values that its measure counts. */
  #isCounted = false;
  #top: TopRecords | null = null;
  #changes: RecentChange[] = [];
  #bounds: number[] | null = null;
  #others: OtherGroups | null = null;
  #matches: RecordPredicate | null = null;
  #scope: CompiledScope | null = null;

  readonly createdAt: number;

  constructor(key: string, query: TileQuery, table: Table, now: number, labels: LabelSources = {}) {
    this.createdAt = now;
    this.key = key;
    this.query = query;
    this.table = table;
    this.labels = labels;
    this.#isIncremental = canUpdateIncrementally(query);
    this.#isClocked = isClocked(query);
    this.#reads = fieldsRead(query);
    const { filter, zone } = query;
    const schedule = filter && clockSchedule(filter, fieldKinds(table), now, zone);
    this.#relativeBounds = schedule?.relativeBounds ?? [];
    this.#now = now;
    this.#bind(now);
  }

  /** Whether the result is updated from changes, without a reading. */
  get isIncremental(): boolean {
    const isExact = this.#tally?.isExact !== false && this.#top?.isExact !== false;
    // a group that was left out may become one of the largest
    return (this.#isIncremental || this.#isCounted) && isExact && this.#others === null;
  }

  result(): TileResult {
    switch (this.query.kind) {
      case "figures":
        return {
          kind: "figures",
          groupValues: this.#tally?.groupValues() ?? [],
          bounds: this.#bounds,
          others: this.#joinOthers(),
        };
      case "top":
        return { kind: "top", records: this.#top?.records() ?? [] };
      case "recent":
        return { kind: "recent", changes: this.#changes };
    }
  }

  /** Whether the clock alone changes the result at `now`: then it is stale. */
  checkClock(now: number): void {
    if (this.wakeAt === null || now < this.wakeAt) return;
    this.isStale = true;
    this.wakeAt = null;
  }

  /**
   * A round begins at `now`, at which changes are evaluated from here on. No record crosses a bound of the
   * filter by time alone before `wakeAt`, so each counts now as it did when it was counted. In the last
   * millisecond before it may or may not, and after the clock was set back it is unknown.
   */
  advanceClock(now: number): void {
    const isTimeDependent = this.#isClocked && this.query.kind !== "recent";
    if (isTimeDependent && now < this.#now) this.isStale = true;
    this.checkClock(isTimeDependent ? now + 1 : now);
    this.#now = now;
  }

  /** Stores a reading; whether it equals the updated result. */
  setReading(reading: Reading): boolean {
    const wasIncremental = this.hasResult && !this.isStale && this.isIncremental;
    const before = wasIncremental ? this.#text() : null;
    this.#now = reading.now;
    this.#bind(reading.now);
    this.#bounds = reading.bounds;
    this.#others = reading.others;
    if (reading.rows) {
      const rule = this.#rule();
      this.#tally = new Tally(rule, reading.rows);
      this.#isCounted = rule.counts !== null && reading.rows.every(({ counts }) => counts);
      this.hasManyValues ||= rule.counts !== null && !this.#isCounted;
    }
    if (reading.records && this.query.kind === "top") {
      const { sort, textOrder, limit } = this.query;
      const at = { table: this.table, matches: this.#predicate(), sort, textOrder, limit };
      this.#top = new TopRecords(at, reading.records);
    }
    this.isStale = false;
    this.hasResult = true;
    this.hasFailed = false;
    this.hasTooManyGroups = false;
    this.failures = 0;
    this.readAt = reading.now;
    this.costMs = reading.costMs;
    this.verifiedAt = reading.now;
    this.wakeAt = reading.wakeAt;
    return before === null || before === this.#text();
  }

  /** The result of a reading, as of its position. */
  resultOf(reading: Reading): TileResult {
    return this.#readBy(reading).result();
  }

  #readBy(reading: Reading): LiveQuery {
    const read = new LiveQuery(this.key, this.query, this.table, reading.now, this.labels);
    read.setReading(reading);
    return read;
  }

  #joinOthers() {
    if (!this.#others) return null;
    const [joined] = new Tally(this.#rule(), [this.#others.joined]).groupValues();
    return joined ? { groups: this.#others.groups, joined: joined } : null;
  }

  /** The updated result, as a text that is equal if the results are. */
  #text(): string {
    if (this.query.kind !== "top") return tallyText(this.#tally?.groupValues() ?? []);
    const { fields } = this.query;
    const rows = this.#top?.records() ?? [];
    return JSON.stringify(rows.map(({ id, values }) => [id, fields.map((name) => values[name])]));
  }

  /**
   * Compares the updated result with a reading that was advanced by the changes since. Null if that can't be
   * determined, because either needs a new reading.
   */
  isSameAs(reading: Reading, later: readonly LogChange[], now: number): boolean | null {
    const read = this.#readBy(reading);
    for (const change of later) read.apply(change);
    read.advanceClock(now);
    const isExact = (one: LiveQuery) => one.hasResult && !one.isStale && one.isIncremental;
    return isExact(this) && isExact(read) ? this.#text() === read.#text() : null;
  }

  /** An activity feed begins with the changes that the log still holds. */
  setChanges(changes: readonly LogChange[], now: number): void {
    this.#bind(now);
    this.#changes = [];
    for (const change of changes) this.#addChange(change);
    this.isStale = false;
    this.hasResult = true;
    this.hasFailed = false;
    this.verifiedAt = now;
    this.readAt = now;
    this.wakeAt = null;
  }

  /** Applies the next change of its table; whether the result has changed, or may have. */
  apply(change: LogChange): boolean {
    if (!this.hasResult) return false;
    const isUpdated = this.query.kind === "recent" || (this.isIncremental && !this.isStale);
    const isConcerned = isUpdated ? this.#update(change) : this.#isMatched(change);
    if (isConcerned) this.changedAt = change.at;
    if (isUpdated || !(this.#isClocked || isConcerned)) return isConcerned;
    // An edit of other fields than it reads is no reason to ask the database again: most edits are none.
    if (!this.#isTouched(change)) return isConcerned;
    this.isStale = true;
    return true;
  }

  /** Whether a change may concern it, checked before it is applied: by the clock a record may match later. */
  mayConcern(change: LogChange): boolean {
    return this.#isTouched(change) && (this.#isClocked || this.#isMatched(change));
  }

  /** Whether a change alters, brings or takes anything that the result depends on. */
  #isTouched({ kind, before }: LogChange): boolean {
    if (kind !== "update" || before === null) return true;
    return Object.keys(before).some((field) => this.#reads.has(field));
  }

  /** Whether a record matches before or after a change. */
  #isMatched(change: LogChange): boolean {
    const matches = this.#predicate();
    const images = [imageBefore(change), change.after];
    return images.some((image) => image && (matches === null || matches(change.record, image)));
  }

  /** Updates the result by a change that follows it; whether the change concerns it. */
  #update(change: LogChange): boolean {
    if (this.query.kind === "recent") return this.#addChange(change);
    const aggregate = this.#tally ?? this.#top;
    if (!aggregate) return false;
    const isConcerned = aggregate.apply(
      change.record,
      imageBefore(change),
      change.after,
      change.entry,
    );
    if (!aggregate.isExact) this.isStale = true;
    if (this.#isClocked && change.after) this.#wakeFor(change.after);
    return isConcerned;
  }

  /** A new record may cross a bound before all that were read. */
  #wakeFor(after: Values): void {
    for (const { field, seconds } of this.#relativeBounds) {
      const at = Date.parse(String(after[field] ?? "")) + seconds * 1_000;
      if (at >= this.#now) this.wakeAt = Math.min(this.wakeAt ?? at + 1, at + 1);
    }
  }

  #addChange(change: LogChange): boolean {
    const { query } = this;
    if (this.#isClocked) this.#bind(Date.parse(change.at));
    const added =
      query.kind === "recent" && this.#scope && toRecentChange(change, this.#scope, query.fields);
    if (!added) return false;
    this.#changes = [added, ...this.#changes.slice(0, query.limit - 1)];
    return true;
  }

  /** Whether a record matches, at the instant of the clock. */
  #predicate(): RecordPredicate | null {
    if (!this.#isClocked) return this.#matches;
    return (record, values) => {
      if (this.#boundAt !== this.#now) this.#bind(this.#now);
      return this.#matches === null || this.#matches(record, values);
    };
  }

  #bind(now: number): void {
    const { query, table } = this;
    this.#boundAt = now;
    const filter = conditionAt(query, new Date(now).toISOString());
    this.#matches = filter && compileFilter(filter, fieldKinds(table));
    if (query.kind === "recent") {
      const fields = query.visible;
      this.#scope = compileScope({ table: table.name, filter, fields, hidesNothing: false }, table);
    }
  }

  #rule(): TallyRule {
    return tallyRule(this.query as MeasureQuery, this.table, this.#predicate(), this.#bounds);
  }
}

function fieldsRead(query: TileQuery): Set<string> {
  const fields = new Set<string>();
  for (const filter of [query.scope, query.filter]) {
    if (filter) for (const field of fieldsOf(filter)) fields.add(field);
  }
  const others =
    query.kind === "figures"
      ? [query.field, query.group, query.time?.field]
      : [...query.fields, ...(query.kind === "top" ? query.sort.map(({ field }) => field) : [])];
  for (const field of others) if (field != null) fields.add(field);
  return fields;
}
