import fc from "fast-check";
import type { Json } from "../../../shared/filter/filter.ts";
import type { ResultKind } from "../../../shared/model/expression/expression.ts";
import { type FieldType, kindOfType } from "../../../shared/model/field-types.ts";
import type { Field } from "../../../shared/model/model.ts";
import { storedByKind } from "./value-arbitraries.ts";

/** Fields that random expressions read, with values that have made interpreters disagree before. */
const types: Record<string, FieldType> = {
  count: "integer",
  "few left": "integer",
  price: "money",
  rate: "percent",
  title: "text",
  Größe: "text",
  state: "select",
  notes: "longText",
  done: "boolean",
  due: "date",
  begun: "date",
  opened: "timestamp",
  closed: "timestamp",
  tags: "multiSelect",
};

export const readFields: Field[] = Object.entries(types).map(([name, type]) => ({
  name,
  label: name,
  type,
  ...((type === "select" || type === "multiSelect") && { options: [{ value: "New" }] }),
}));

const decimals = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom("0.00", "-0.05", "12.30", "1.00", "3.00") },
  { weight: 1, arbitrary: fc.constantFrom("NaN", `${"9".repeat(36)}.99`) },
);
const stored = (type: FieldType): fc.Arbitrary<Json> => {
  const kind = kindOfType[type];
  return kind === "decimal" ? decimals : storedByKind[kind];
};

/** What other programs may have written into a record, also what users could not. */
export const readValues = fc.record(
  Object.fromEntries(
    readFields.map(({ name, type }) => [name, fc.option(stored(type), { freq: 5 })]),
  ),
);

const written = (names: string[]) =>
  fc.constantFrom(...names.map((name) => (/^\w+$/.test(name) ? name : `[${name}]`)));
const numbers = fc.constantFrom("0", "1", "2.5", "0.000001", "100", "99999999999999999999");
const quoted = fc
  .constantFrom("", "New", "é", "😀 ", "a'b", "$1", 'say ""hi""')
  .map((text) => `"${text}"`);

const condition = fc.oneof(
  ...[
    "count > 1",
    'title contains "a"',
    "[few left] is empty",
    'state in ("New", "x")',
    'notes starts with "A"',
    'due between "2024-01-01" and "2024-12-31"',
    "opened <= closed",
    "done = true",
    'tags contains "k"',
    "not (price >= 0 or title != Größe)",
    'due > begun and closed < "2024-03-01T00:00:00Z"',
    "rate not in (1, 2)",
  ].map((text) => fc.constant(text)),
);

const tree = fc.letrec<Record<ResultKind, string>>((tie) => {
  const [number, text, date, timestamp] = (["number", "text", "date", "timestamp"] as const).map(
    (kind) => tie(kind),
  ) as [fc.Arbitrary<string>, fc.Arbitrary<string>, fc.Arbitrary<string>, fc.Arbitrary<string>];
  const chosen = (part: fc.Arbitrary<string>) => [
    fc.tuple(condition, part, part).map(([when, a, b]) => `if(${when}, ${a}, ${b})`),
    fc.tuple(condition, part).map(([when, a]) => `if(${when}, ${a})`),
    fc.array(part, { minLength: 2, maxLength: 3 }).map((parts) => `first(${parts.join(", ")})`),
  ];
  const depth = { maxDepth: 3, depthSize: "small" } as const;
  return {
    number: fc.oneof(
      depth,
      { weight: 4, arbitrary: written(["count", "few left", "price", "rate"]) },
      { weight: 1, arbitrary: numbers },
      {
        weight: 4,
        arbitrary: fc
          .tuple(number, fc.constantFrom("+", "-", "*", "/"), number)
          .map(([a, op, b]) => `(${a} ${op} ${b})`),
      },
      number.map((a) => `(-${a})`),
      fc.tuple(number, fc.nat(6)).map(([a, digits]) => `round(${a}, ${digits})`),
      fc
        .tuple(fc.constantFrom("floor", "ceiling", "abs", "round"), number)
        .map(([name, a]) => `${name}(${a})`),
      fc
        .tuple(fc.constantFrom("min", "max"), number, number)
        .map(([name, a, b]) => `${name}(${a}, ${b})`),
      ...["days", "hours", "minutes", "seconds"].flatMap((unit) =>
        [date, timestamp].map((part) =>
          fc.tuple(part, part).map(([a, b]) => `${unit}_between(${a}, ${b})`),
        ),
      ),
      ...chosen(number),
    ),
    text: fc.oneof(
      depth,
      { weight: 4, arbitrary: written(["title", "Größe", "state", "notes", "id"]) },
      { weight: 2, arbitrary: quoted },
      fc
        .array(fc.oneof(text, number, date), { minLength: 2, maxLength: 3 })
        .map((parts) => `(${parts.join(" & ")})`),
      ...chosen(text),
    ),
    date: fc.oneof(depth, written(["due", "begun"]), ...chosen(date)),
    timestamp: fc.oneof(depth, written(["opened", "closed"]), ...chosen(timestamp)),
  };
});

const resultTypes: [FieldType, fc.Arbitrary<string>][] = [
  ["decimal", tree.number],
  ["money", tree.number],
  ["integer", tree.number],
  ["duration", tree.number],
  ["text", tree.text],
  ["longText", tree.text],
  ["date", tree.date],
  ["timestamp", tree.timestamp],
  ["boolean", condition],
];

/** A field of any computable type; some read an earlier one of these. */
export const computedField: fc.Arbitrary<Pick<Field, "type" | "expression" | "scale">> = fc.oneof(
  ...resultTypes.map(([type, expression]) =>
    expression.map((text) => ({
      type,
      expression: text,
      ...(type === "decimal" && { scale: 5 }),
    })),
  ),
);
