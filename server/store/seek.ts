import type { FieldKinds, Filter, Json, SortKey } from "../../shared/filter/filter.ts";
import { literalOf } from "../../shared/filter/operand.ts";
import { ENTRY_FIELD, ID_FIELD } from "../../shared/filter/value-kinds.ts";
import type { Values } from "../../shared/model/model.ts";

/** Some of a view's records: those that also match `filter`, which lie together in the view's order. */
export interface ViewPart {
  filter: Filter;
  /** Those whose text is beyond this one in the order of the key, which filters don't know. */
  beyond?: { key: SortKey; text: string };
  /** What is left of the order within the part. */
  sort: readonly SortKey[];
}

/** A place in an order: what it compares, of a record that need not exist any more. */
export interface Place {
  id: string;
  values: Values;
  /** Its number in the order of entry; null if its table has none. */
  entry: number | null;
}

/**
 * The records from a place on, in parts that an index of the order serves: those that are equal in all keys, then those
 * that are equal in all but the last one, and so on. `later`: the parts beyond the first key's value, if it has few.
 */
export function partsFrom(
  kinds: FieldKinds,
  sort: readonly SortKey[],
  place: Place,
  later?: readonly ViewPart[],
): ViewPart[] {
  const equal: Filter[] = [];
  const parts: ViewPart[] = [];
  for (const [index, key] of sort.entries()) {
    const value = keyValue(place, key.field);
    const rest = sort.slice(index + 1);
    const within = ({ filter, beyond }: Beyond): ViewPart => ({
      filter: { and: [...equal, ...(filter ? [filter] : [])] },
      ...(beyond && { beyond }),
      sort: filter && isOneValue(filter) ? rest : sort.slice(index),
    });
    const beyond =
      index === 0 && later
        ? later
        : beyondValue(key, value, kinds[key.field] === "text").map(within);
    parts.unshift(...beyond);
    equal.push(equalTo(key.field, value));
  }
  return [{ filter: { and: [...equal, ...fromTie(place)] }, sort: [] }, ...parts];
}

/** Of records that are equal in all keys, those from the place on: by a condition that an index serves, and one for equal numbers. */
function fromTie({ id, entry }: Place): Filter[] {
  const fromId: Filter = { field: ID_FIELD, op: "gte", value: literalOf(id) };
  if (entry === null) return [fromId];
  const compared = (op: "gt" | "gte"): Filter => ({ field: ENTRY_FIELD, op, value: entry });
  return [compared("gte"), { or: [compared("gt"), fromId] }];
}

function keyValue({ id, values }: Place, field: string): Json {
  return field === ID_FIELD ? id : (values[field] ?? null);
}

type Beyond = { filter?: Filter } & Pick<ViewPart, "beyond">;

/** Empty values come last, and first in a descending order. `isText`: the key is one of texts, and no id. */
function beyondValue(key: SortKey, value: Json, isText: boolean): Beyond[] {
  const { field, descending } = key;
  if (value === null) return descending ? [{ filter: { field, op: "isEmpty", value: false } }] : [];
  const others: Beyond[] = descending ? [] : [{ filter: { field, op: "isEmpty" } }];
  if (typeof value === "boolean") {
    return value === descending
      ? [{ filter: { field, op: "eq", value: !value } }, ...others]
      : others;
  }
  if (isText) return [{ beyond: { key, text: String(value) } }, ...others];
  return [{ filter: { field, op: descending ? "lt" : "gt", value: literalOf(value) } }, ...others];
}

/** Whether its records have one value of the key. */
function isOneValue(filter: Filter): boolean {
  return (
    "op" in filter && (filter.op === "eq" || (filter.op === "isEmpty" && !("value" in filter)))
  );
}

/** The condition that a field has a value, which may be the empty one. */
export function equalTo(field: string, value: Json): Filter {
  return value === null ? { field, op: "isEmpty" } : { field, op: "eq", value: literalOf(value) };
}
