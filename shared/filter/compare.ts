import { compareCodePoints } from "./code-points.ts";
import type { RecordValues } from "./compile-test.ts";
import type { FieldKinds, Json, SortKey } from "./filter.ts";
import { isOrdered, orderings } from "./ordering.ts";
import { ID_FIELD, kindOf } from "./value-kinds.ts";

/** The values that an order compares. */
interface SortableRecord {
  id: string;
  values: RecordValues;
  /** Its number in the order of entry; null or absent where its table has none. */
  entry?: number | null;
}

/**
 * A total order equal to that of `orderBySql`: text by code points, false before true, empty last when
 * ascending and first when descending, ties by the order of entry, then by id ascending. `checkSort` refuses
 * keys that can't be sorted by (unknown fields, lists, JSON); here they are ignored.
 */
export function compareBy(
  sort: readonly SortKey[],
  kinds: FieldKinds,
): (a: SortableRecord, b: SortableRecord) => number {
  const byKeys = compareByKeys(sort, kinds);
  return (a, b) => byKeys(a, b) || compareEntries(a, b) || compareCodePoints(a.id, b.id);
}

/** The same without what breaks ties: 0 for records that are equal in all keys. */
export function compareByKeys(
  sort: readonly SortKey[],
  kinds: FieldKinds,
): (a: SortableRecord, b: SortableRecord) => number {
  const steps = sort.flatMap((key) => compareByKey(key, kinds) ?? []);
  return (a, b) => {
    for (const step of steps) {
      const order = step(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
}

/** Without a number a record comes last. */
function compareEntries(a: SortableRecord, b: SortableRecord): number {
  const [left, right] = [a.entry ?? null, b.entry ?? null];
  if (left !== null && right !== null) return left - right;
  return Number(left === null) - Number(right === null);
}

function compareByKey({ field, descending }: SortKey, kinds: FieldKinds) {
  const kind = kindOf(kinds, field);
  if (!kind || !isOrdered(kind)) return null;
  const { read, compare } = orderings[kind];
  const sign = descending ? -1 : 1;
  return (a: SortableRecord, b: SortableRecord): number => {
    const left = read(wireValue(a, field));
    const right = read(wireValue(b, field));
    if (left !== null && right !== null) return sign * compare(left, right);
    return sign * (Number(left === null) - Number(right === null));
  };
}

function wireValue(record: SortableRecord, field: string): Json | undefined {
  return field === ID_FIELD ? record.id : record.values[field];
}
