import { toUnits } from "../../../shared/filter/decimal.ts";
import type { Json } from "../../../shared/filter/filter.ts";
import type { RecordPredicate } from "../../../shared/filter/matches.ts";
import type { Values } from "../../../shared/model/model.ts";
import type { GroupRow } from "../../store/tiles/read-groups.ts";
import { bucketOf } from "../plan/time-bounds.ts";
import type { Extreme } from "./extreme.ts";
import { type CountRule, VALUES_MAX, ValueCounts } from "./value-counts.ts";

/** The values of one group, exact. `units` counts 10^-scale. */
export interface GroupValue {
  key: Json;
  bucket: number | null;
  n: number;
  filled: number;
  units: bigint;
  /** What the sum is besides, as Postgres has it: NaN, infinite, or with more digits than the field. Absent for nothing. */
  beyond?: string;
  /** Of `min` and `max`, and of measures that are not updated from changes. */
  value: Json;
  /** The record with the extreme value is gone: the next one is unknown. */
  isExtremeUnknown?: boolean;
  /** What `value` follows from, of a measure that counts its values. */
  counts?: ValueCounts;
}

/** A group without records. */
export function emptyGroup(key: Json, bucket: number | null = null): GroupValue {
  return { key, bucket, n: 0, filled: 0, units: 0n, value: null };
}

/** How a record counts. */
export interface TallyRule {
  matches: RecordPredicate | null;
  /** The numeric field that is summed; null if records are counted. */
  sums: string | null;
  scale: number;
  /** The field whose largest or smallest value is tracked; null if there is none. */
  extreme: Extreme | null;
  /** The values that are counted; null if they are not. */
  counts: CountRule | null;
  group: string | null;
  time: { field: string; bounds: readonly number[]; isDate: boolean } | null;
}

/**
 * Counts and exact sums by group and bucket, updated by the images before and after each change. A group
 * without records disappears. A number that can't be handled exactly (NaN, more digits than the field has)
 * makes the tally uncertain: it must be read again.
 */
export class Tally {
  readonly rule: TallyRule;
  readonly #groupValues = new Map<string, GroupValue>();
  #isExact = true;
  /** Values of all groups, for measures that count them. */
  #values = 0;
  #unknownExtreme: GroupValue | null = null;

  constructor(rule: TallyRule, stored: readonly GroupRow[]) {
    this.rule = rule;
    for (const row of stored) if (row.n > 0) this.#seed(row);
  }

  /** Whether the values are known to be exact. */
  get isExact(): boolean {
    return this.#isExact;
  }

  groupValues(): GroupValue[] {
    const all = [...this.#groupValues.values()];
    for (const one of all) if (one.counts) one.value = one.counts.value();
    return all;
  }

  get size(): number {
    return this.#groupValues.size;
  }

  /** Applies a change; whether any value may have changed. */
  apply(record: string, before: Values | null, after: Values | null): boolean {
    const was = before !== null && this.#counts(record, before);
    const is = after !== null && this.#counts(record, after);
    if (was) this.#add(before, -1);
    if (is) this.#add(after, 1);
    if (this.#unknownExtreme?.isExtremeUnknown) this.#isExact = false;
    this.#unknownExtreme = null;
    return was || is;
  }

  #seed({ key, bucket, n, filled, sum, value, counts }: GroupRow): void {
    const units = sum === null ? 0n : toUnits(sum, this.rule.scale);
    const groupValue: GroupValue = { key, bucket, n, filled, value, units: units ?? 0n };
    if (units === null && sum !== null) {
      this.#isExact = false;
      groupValue.beyond = String(sum);
    }
    if (counts && this.rule.counts) groupValue.counts = new ValueCounts(this.rule.counts);
    for (const [counted, records] of counts ?? []) this.#count(groupValue, counted, records);
    this.#groupValues.set(groupKey(key, bucket), groupValue);
  }

  #counts(record: string, values: Values): boolean {
    const { matches, time } = this.rule;
    return (matches === null || matches(record, values)) && (!time || this.#bucket(values) >= 0);
  }

  #bucket(values: Values): number {
    const { time } = this.rule;
    const text = time && values[time.field];
    if (!time || typeof text !== "string") return -1;
    return bucketOf(Date.parse(time.isDate ? `${text}T00:00:00Z` : text), time.bounds);
  }

  #add(values: Values, sign: 1 | -1): void {
    const { group, time } = this.rule;
    const key = group === null ? null : (values[group] ?? null);
    const bucket = time ? this.#bucket(values) : null;
    const id = groupKey(key, bucket);
    const groupValue = this.#groupValues.get(id) ?? emptyGroup(key, bucket);
    groupValue.n += sign;
    this.#sum(groupValue, values, sign);
    this.#updateExtreme(groupValue, values, sign);
    this.#countValue(groupValue, values, sign);
    if (groupValue.n === 0) this.#groupValues.delete(id);
    else this.#groupValues.set(id, groupValue);
  }

  #countValue(groupValue: GroupValue, values: Values, sign: 1 | -1): void {
    const { counts } = this.rule;
    if (!counts) return;
    groupValue.counts ??= new ValueCounts(counts);
    const value = values[counts.field] ?? null;
    if (value === null) return;
    this.#count(groupValue, value, sign);
    groupValue.filled += sign;
  }

  #count(groupValue: GroupValue, value: Json, n: number): void {
    if (!groupValue.counts) return;
    const before = groupValue.counts.size;
    if (!groupValue.counts.add(value, n)) this.#isExact = false;
    this.#values += groupValue.counts.size - before;
    if (this.#values > 2 * VALUES_MAX) this.#isExact = false;
  }

  /** An update that removes the extreme value may bring a larger one at the same time. */
  #updateExtreme(groupValue: GroupValue, values: Values, sign: 1 | -1): void {
    const { extreme } = this.rule;
    const value = extreme && (values[extreme.field] ?? null);
    if (!extreme || value === null) return;
    if (this.rule.sums === null) groupValue.filled += sign;
    const order = groupValue.value === null ? 1 : extreme.compare(value, groupValue.value);
    if (sign === 1 && order >= 0) {
      groupValue.value = value;
      groupValue.isExtremeUnknown = false;
    } else if (sign === -1 && order >= 0) {
      groupValue.isExtremeUnknown = groupValue.n > 0;
      this.#unknownExtreme = groupValue;
    }
  }

  #sum(groupValue: GroupValue, values: Values, sign: 1 | -1): void {
    const { sums, scale } = this.rule;
    const value = sums === null ? null : (values[sums] ?? null);
    if (value === null) return;
    const units = toUnits(value, scale);
    if (units === null) this.#isExact = false;
    else groupValue.units += sign === 1 ? units : -units;
    groupValue.filled += sign;
  }
}

/** What Postgres read and what was updated, as one text each: equal or not. */
export function tallyText(groupValues: readonly GroupValue[]): string {
  const lines = groupValues.map(({ key, bucket, n, filled, units, value, beyond }) =>
    JSON.stringify([key, bucket, n, filled, String(units), value, beyond]),
  );
  return lines.sort().join("\n");
}

function groupKey(key: Json, bucket: number | null): string {
  return `${bucket ?? ""} ${JSON.stringify(key)}`;
}
