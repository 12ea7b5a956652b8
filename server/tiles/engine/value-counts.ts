import { toUnits } from "../../../shared/filter/decimal.ts";
import type { Json, ValueKind } from "../../../shared/filter/filter.ts";
import { isOrdered, orderings } from "../../../shared/filter/ordering.ts";
import type { MeasureOp } from "../../../shared/model/wallboard/tile-parts.ts";

/**
 * How many records have which value of a field: what a percentile or a number of distinct values is updated from, because the one that takes its place
 * when a record goes is among them. Worth it while the values are few beside the records: beyond `VALUES_MAX` of a query it is
 * read again instead (read-tile-query.ts).
 */
export interface CountRule {
  field: string;
  kind: ValueKind;
  /** Digits of a decimal, by which its values are the same or not. */
  scale: number;
  op: "distinct" | "percentile";
  /** Of a percentile: 0.5 is the median. */
  share: number;
}

/** Of all groups of a query. */
export const VALUES_MAX = 5_000;

/** The rule of a measure; null if it is none that counts its values. The order of texts is the database's alone. */
export function countRuleOf(
  op: MeasureOp,
  field: { name: string; kind: ValueKind; scale: number },
  percentile: number,
): CountRule | null {
  if (op !== "distinct" && op !== "percentile") return null;
  const { name, kind, scale } = field;
  if (!isOrdered(kind) || (op === "percentile" && kind === "text")) return null;
  return { field: name, kind, scale, op, share: percentile / 100 };
}

/** The values of one group, with what follows from them. */
export class ValueCounts {
  readonly #rule: CountRule;
  readonly #byKey = new Map<string, { value: Json; read: unknown; n: number }>();
  /** In their order, of a percentile; null once one came or went. */
  #sorted: { value: Json; read: unknown; n: number }[] | null = null;
  #total = 0;

  constructor(rule: CountRule) {
    this.#rule = rule;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** Counts records with a value. False if that can't be exact: it has more digits than its field, or is not finite. */
  add(value: Json, n: number): boolean {
    const { kind, scale } = this.#rule;
    const key = kind === "decimal" ? toUnits(value, scale)?.toString() : JSON.stringify(value);
    const read = isOrdered(kind) ? orderings[kind].read(value) : null;
    if (key === undefined || read === null) return false;
    const counted = this.#byKey.get(key);
    if (!counted) {
      this.#byKey.set(key, { value, read, n });
      this.#sorted = null;
    } else {
      counted.n += n;
      if (counted.n === 0) {
        this.#byKey.delete(key);
        this.#sorted = null;
      }
    }
    this.#total += n;
    return true;
  }

  /** As Postgres has it: `count(distinct …)`, or `percentile_disc`. */
  value(): Json {
    const { op, share, kind } = this.#rule;
    if (op === "distinct") return this.#byKey.size;
    if (!isOrdered(kind)) return null;
    const { compare } = orderings[kind];
    this.#sorted ??= [...this.#byKey.values()].sort((a, b) => compare(a.read, b.read));
    let left = Math.max(1, Math.ceil(share * this.#total));
    for (const { value, n } of this.#sorted) {
      left -= n;
      if (left <= 0) return value;
    }
    return null;
  }
}
