import { compareCodePoints } from "./code-points.ts";
import type { RecordValues } from "./compile-test.ts";
import type { FieldKinds, Json, SortKey } from "./filter.ts";
import { isOrdered, orderings } from "./ordering.ts";
import { ID_FIELD, kindOf } from "./value-kinds.ts";

/** The values that an order compares. */
interface SortableRecord {
  id: string;
  values: RecordValues;
}

/**
 * A total order equal to that of `orderBySql`: text by code points, false before true, empty last when
 * ascending and first when descending, ties by id ascending. `checkSort` refuses keys that can't be sorted by
 * (unknown fields, lists, JSON); here they are ignored.
 */
export function compareBy(
  sort: readonly SortKey[],
  kinds: FieldKinds,
): (a: SortableRecord, b: SortableRecord) => number {
  const steps = sort.flatMap((key) => compareByKey(key, kinds) ?? []);
  return (a, b) => {
    for (const step of steps) {
      const order = step(a, b);
      if (order !== 0) return order;
    }
    return compareCodePoints(a.id, b.id);
  };
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
