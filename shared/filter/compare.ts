import { compareCodePoints } from "./code-points.ts";
import type { RecordValues } from "./compile-test.ts";
import type { FieldKinds, Json, SortKey } from "./filter.ts";
import { isOrdered, type OrderedKind, orderings } from "./ordering.ts";
import { compareTexts, type TextOrder } from "./text-order.ts";
import { ID_FIELD, kindOf } from "./value-kinds.ts";

/**
 * By field, the labels by which links and users are ordered: null where an id has none that the reader may see, undefined where that is
 * not known.
 */
export type OrderLabels = Readonly<Record<string, (id: string) => string | null | undefined>>;

/** The values that an order compares. */
interface SortableRecord {
  id: string;
  values: RecordValues;
  /** Its number in the order of entry; null or absent where its table has none. */
  entry?: number | null;
}

/**
 * A total order, that of `orderBySql` as far as memory can know it: text in the order of the installation's language, false before
 * true, empty last when ascending and first when descending, ties by the order of entry, then by id ascending. Links and users are in
 * the order of their labels, those without one behind, by their ids. NaN where only the server knows. `checkSort` refuses keys that
 * can't be sorted by (unknown fields, lists, JSON); here they are ignored.
 */
export function compareBy(
  sort: readonly SortKey[],
  kinds: FieldKinds,
  texts: TextOrder,
  labels: OrderLabels = {},
): (a: SortableRecord, b: SortableRecord) => number {
  const byKeys = compareByKeys(sort, kinds, texts, labels);
  return (a, b) => {
    const order = byKeys(a, b);
    return order === 0 ? compareEntries(a, b) || compareCodePoints(a.id, b.id) : order;
  };
}

/** The same without what breaks ties: 0 for records that are equal in all keys. */
export function compareByKeys(
  sort: readonly SortKey[],
  kinds: FieldKinds,
  texts: TextOrder,
  labels: OrderLabels = {},
): (a: SortableRecord, b: SortableRecord) => number {
  const steps = sort.flatMap((key) => compareByKey(key, kinds, texts, labels) ?? []);
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

function compareByKey(
  { field, descending }: SortKey,
  kinds: FieldKinds,
  texts: TextOrder,
  labels: OrderLabels,
) {
  const kind = kindOf(kinds, field);
  if (!kind || !isOrdered(kind)) return null;
  const { read } = orderings[kind];
  const labelOf = Object.hasOwn(labels, field) ? labels[field] : undefined;
  const compare = labelOf ? compareLabels(labelOf, texts) : compareFilled(field, kind, texts);
  const sign = descending ? -1 : 1;
  return (a: SortableRecord, b: SortableRecord): number => {
    const left = read(wireValue(a, field));
    const right = read(wireValue(b, field));
    if (left !== null && right !== null) return sign * compare(left, right);
    return sign * (Number(left === null) - Number(right === null));
  };
}

type Compare = (a: unknown, b: unknown) => number;

function compareFilled(field: string, kind: OrderedKind, texts: TextOrder): Compare {
  // The key of a text is the text.
  if (kind === "text" && field !== ID_FIELD) return compareTexts(texts) as Compare;
  return orderings[kind].compare;
}

function compareLabels(labelOf: OrderLabels[string], texts: TextOrder): Compare {
  return (left, right) => {
    if (left === right) return 0;
    const [a, b] = [String(left), String(right)];
    const [first, second] = [labelOf(a), labelOf(b)];
    if (first === undefined || second === undefined) return Number.NaN;
    const byLabel =
      first === null || second === null
        ? Number(first === null) - Number(second === null)
        : compareTexts(texts)(first, second);
    return byLabel || compareCodePoints(a, b);
  };
}

function wireValue(record: SortableRecord, field: string): Json | undefined {
  return field === ID_FIELD ? record.id : record.values[field];
}
