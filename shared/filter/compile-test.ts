import type { Json, ValueKind } from "./filter.ts";
import { foldCase } from "./fold-case.ts";
import type { Literal } from "./literal.ts";
import { isOrdered, orderings, readList } from "./ordering.ts";
import type { Bound, FieldRef, OrderedField, Test } from "./plan-comparison.ts";
import { textSearch } from "./text-search.ts";
import { ID_FIELD } from "./value-kinds.ts";

/** A record's wire values by field; a missing one is empty. */
export type RecordValues = Readonly<Record<string, Json | undefined>>;

type RecordTest = (id: string, values: RecordValues) => boolean;
type Reader<Key> = (id: string, values: RecordValues) => Key | null;

/** Compiles one planned test into a function over a record. */
export function compileTest(test: Test): RecordTest {
  switch (test.op) {
    case "empty": {
      const read = keyReader(test.field);
      return (id, values) => read(id, values) === null;
    }
    case "among":
      return among(test.field, test.literals);
    case "same":
      return same(test.field, test.other);
    case "lt":
    case "lte":
    case "gt":
    case "gte":
      return byOrder(test.op, test.field, test.bound);
    case "contains":
      return searching(test.field, textSearch(test.folded));
    case "startsWith":
      return searching(test.field, (text) => text.startsWith(test.folded));
    case "holds":
      return holds(test.field, test.element);
    case "elements": {
      const read = keyReader(test.field);
      return (id, values) => areSameElements(read(id, values), test.elements);
    }
  }
}

function wireReader(name: string): (id: string, values: RecordValues) => Json | undefined {
  return name === ID_FIELD ? (id) => id : (_id, values) => values[name];
}

/** Reads the comparison key of the field's kind: null if the record is empty there. */
function keyReader({ name, kind }: FieldRef): Reader<unknown> {
  const wire = wireReader(name);
  if (kind === "list") return (id, values) => readList(wire(id, values));
  if (kind === "json") return (id, values) => wire(id, values) ?? null;
  const { read } = orderings[kind];
  return (id, values) => read(wire(id, values));
}

function among(field: OrderedField, literals: readonly Literal[]): RecordTest {
  const read = keyReader(field);
  if (field.kind === "text" || field.kind === "boolean") {
    const known = new Set<unknown>(literals);
    return (id, values) => known.has(read(id, values));
  }
  const { compare, read: readKey } = orderings[field.kind];
  const keys = literals.map(readKey);
  return (id, values) => {
    const key = read(id, values);
    return key !== null && keys.some((candidate) => compare(key, candidate) === 0);
  };
}

function same(field: FieldRef, other: FieldRef): RecordTest {
  const readLeft = keyReader(field);
  const readRight = keyReader(other);
  const equal = equality(field.kind);
  return (id, values) => {
    const left = readLeft(id, values);
    const right = readRight(id, values);
    return left === null || right === null ? left === right : equal(left, right);
  };
}

function equality(kind: ValueKind): (a: unknown, b: unknown) => boolean {
  if (!isOrdered(kind)) return areSameElements;
  const { compare } = orderings[kind];
  return (a, b) => compare(a, b) === 0;
}

function areSameElements(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((element, index) => element === b[index]);
}

const verdicts = {
  lt: (order: number) => order < 0,
  lte: (order: number) => order <= 0,
  gt: (order: number) => order > 0,
  gte: (order: number) => order >= 0,
};

function boundReader(kind: OrderedField["kind"], bound: Bound): Reader<unknown> {
  if ("field" in bound) return keyReader(bound.field);
  const key = orderings[kind].read(bound.literal);
  return () => key;
}

function byOrder(op: keyof typeof verdicts, field: OrderedField, bound: Bound): RecordTest {
  const read = keyReader(field);
  const readBound = boundReader(field.kind, bound);
  const { compare } = orderings[field.kind];
  const verdict = verdicts[op];
  return (id, values) => {
    const left = read(id, values);
    const right = readBound(id, values);
    return left !== null && right !== null && verdict(compare(left, right));
  };
}

function searching(field: FieldRef, found: (folded: string) => boolean): RecordTest {
  const read = keyReader(field);
  return (id, values) => {
    const text = read(id, values);
    return typeof text === "string" && found(foldCase(text));
  };
}

function holds(field: FieldRef, element: Bound): RecordTest {
  const read = keyReader(field);
  const readElement = boundReader("text", element);
  return (id, values) => {
    const list = read(id, values);
    const sought = readElement(id, values);
    return sought !== null && Array.isArray(list) && list.includes(sought);
  };
}
