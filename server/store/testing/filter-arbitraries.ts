import fc from "fast-check";
import type {
  ComparisonOp,
  FieldKinds,
  Filter,
  Json,
  SortKey,
  ValueKind,
} from "../../../shared/filter/filter.ts";
import { isOrdered } from "../../../shared/filter/ordering.ts";
import { areComparable, ID_FIELD, opsByKind } from "../../../shared/filter/value-kinds.ts";
import { queryValuesByKind } from "./value-arbitraries.ts";

/** Random filters over given fields, every operator of every kind, that pass `checkFilter`. */
export function filterArbitrary(kinds: FieldKinds): fc.Arbitrary<Filter> {
  const leaf = fc.oneof(
    ...Object.entries(kinds).flatMap(([field, kind]) =>
      opsByKind[kind].map((op) => leafArbitrary(field, kind, op, kinds)),
    ),
  );
  const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      { weight: 5, arbitrary: leaf },
      { weight: 2, arbitrary: tie("filter").map((not) => ({ not })) },
      { weight: 1, arbitrary: fc.array(tie("filter"), { maxLength: 3 }).map((and) => ({ and })) },
      { weight: 1, arbitrary: fc.array(tie("filter"), { maxLength: 3 }).map((or) => ({ or })) },
    ),
  }));
  return filter;
}

/** Random orders over the fields that can be sorted by. */
export function sortArbitrary(kinds: FieldKinds): fc.Arbitrary<SortKey[]> {
  const fields = Object.keys(kinds).filter((field) => isOrdered(kinds[field] ?? "json"));
  const key = fc.record({ field: fc.constantFrom(...fields), descending: fc.boolean() });
  return fc.array(key, { maxLength: 3 });
}

function leafArbitrary(
  field: string,
  kind: ValueKind,
  op: ComparisonOp,
  kinds: FieldKinds,
): fc.Arbitrary<Filter> {
  return valueArbitrary(kind, op, kinds).map((value) => ({ field, op, value }));
}

function valueArbitrary(kind: ValueKind, op: ComparisonOp, kinds: FieldKinds): fc.Arbitrary<Json> {
  const queryValue = queryValuesByKind[kind];
  const bound = fc.oneof(
    { weight: 4, arbitrary: queryValue },
    { weight: 1, arbitrary: otherField(kind, kinds) },
  );
  const orEmpty = fc.oneof(
    { weight: 4, arbitrary: kind === "json" ? queryValue : bound },
    { weight: 1, arbitrary: fc.constant(null) },
  );
  switch (op) {
    case "eq":
    case "ne":
      return orEmpty;
    case "in":
    case "nin":
      return fc.array(orEmpty, { maxLength: 4 });
    case "between":
      return fc.tuple(bound, bound);
    case "isEmpty":
      return fc.constantFrom(null, true, false);
    case "contains":
      return kind === "list"
        ? fc.oneof(queryValuesByKind.text, otherField("text", kinds))
        : queryValue;
    case "startsWith":
      return queryValue;
    default:
      return bound;
  }
}

function otherField(kind: ValueKind, kinds: FieldKinds): fc.Arbitrary<Json> {
  const fields = Object.keys(kinds).filter((field) => areComparable(kind, kinds[field] ?? "json"));
  const known = kind === "text" ? [...fields, ID_FIELD] : fields;
  if (known.length === 0) return queryValuesByKind[kind];
  return fc.constantFrom(...known).map((field) => ({ field }));
}
