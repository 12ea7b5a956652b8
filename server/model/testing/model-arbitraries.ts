import fc from "fast-check";
import type { Json } from "../../../shared/filter/filter.ts";
import { fieldNameProblem, foldName, tableNameProblem } from "../../../shared/model/check-name.ts";
import { readsOf } from "../../../shared/model/expression/expression-of.ts";
import {
  renameInExpression,
  writtenName,
} from "../../../shared/model/expression/rename-in-expression.ts";
import type { FieldType } from "../../../shared/model/field-types.ts";
import type { Field, Model, Recorded, Table } from "../../../shared/model/model.ts";
import { isReadOnly, recordedTypes } from "../../../shared/model/recorded.ts";
import { declarationsAfter, declarationsArbitrary, declare } from "./declarations.ts";

/** Random models and their successors, with hostile names among them. */

const hostile = [
  'quo"ted',
  "apos'trophe",
  "select",
  "table",
  "user",
  "'; drop table watchfloor.change; --",
  "$capture$",
  "ctid",
  "xmin",
  "Größe",
  "größe_2",
  "名前",
  "😀",
  "a.b.c",
  "with space",
  "back\\slash",
  "percent%s",
  "{}[]",
  "$1",
  "x".repeat(63),
  "ä".repeat(31),
];
const longNames = ["y".repeat(64), "y".repeat(120), "ß".repeat(100)];
const textArbitrary = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const fieldName = fc
  .oneof(fc.constantFrom(...hostile, ...longNames), textArbitrary)
  .filter((name) => fieldNameProblem(name) === null);
const tableName = fc
  .oneof(fc.constantFrom(...hostile), textArbitrary)
  .filter((name) => tableNameProblem(name) === null);

/** A value or two that each type can hold. */
export const samples: Record<Exclude<FieldType, "link" | "person">, Json[]> = {
  text: ["12", "2026-01-02", "yes", "some text"],
  longText: ["1.5", "text\nof two lines"],
  integer: [0, -7, 1_000_000],
  decimal: ["1.50", "-0.25"],
  money: ["12.00", "0.01"],
  percent: ["50.00"],
  boolean: [true, false],
  date: ["2026-01-02", "1999-12-31"],
  timestamp: ["2026-01-02T00:00:00+00:00", "2026-03-04T05:06:07.123456+00:00"],
  duration: [3600],
  select: ["one", "12"],
  multiSelect: [["one"], ["one", "12"]],
  email: ["a@example.com"],
  url: ["https://example.com/a?b"],
  phone: ["+4930123456"],
  json: [{ a: [1, "x"] }, "text", 5],
};
const types = Object.keys(samples) as (keyof typeof samples)[];
/** What the second record of each table holds, and what a field may do without one day. */
export const LOST_OPTION = "12";
const options = [{ value: "one" }, { value: LOST_OPTION }, { value: "yes" }];
const recordings = Object.keys(recordedTypes) as Recorded[];

const plainField = fc
  .record({
    name: fieldName,
    type: fc.constantFrom(...types),
    indexed: fc.boolean(),
    hasDefault: fc.boolean(),
  })
  .map(({ name, type, indexed, hasDefault }) =>
    ofType({ name, label: name, type }, indexed, hasDefault),
  );

/** The properties that go with a type, and no others. */
function ofType(field: Field, indexed: boolean, hasDefault: boolean): Field {
  const { type } = field;
  const cantIndex = ["longText", "json", "multiSelect"].includes(type);
  return {
    name: field.name,
    label: field.label,
    type,
    ...(field.id !== undefined && { id: field.id }),
    ...((type === "select" || type === "multiSelect") && { options }),
    ...(indexed && !cantIndex && { indexed }),
    ...(hasDefault && { default: samples[type as keyof typeof samples][0] as Json }),
  };
}

const plainTable = fc
  .record({
    name: tableName,
    fields: fc.uniqueArray(plainField, {
      minLength: 1,
      maxLength: 5,
      selector: ({ name }) => foldName(name),
    }),
    /** Whether it links to the first table. */
    isLinked: fc.boolean(),
    isWorkedOut: fc.boolean(),
    recorded: fc.option(fc.constantFrom(...recordings)),
    declarations: declarationsArbitrary,
  })
  .map(({ name, fields, isLinked, isWorkedOut, recorded, declarations }) => ({
    table: declare(
      withFields({ name }, withRecorded(isWorkedOut ? withWorkedOut(fields) : fields, recorded)),
      declarations,
    ),
    isLinked,
  }));

/** A last field that reads the first one, whatever that is called and of whatever type. */
function withWorkedOut(fields: Field[]): Field[] {
  const [{ name: read }] = fields as [Field];
  const name = "computed field";
  const isTaken = fields.some((field) => foldName(field.name) === name);
  const expression = `if(${writtenName(read)} is empty, "nothing", "something")`;
  return isTaken ? fields : [...fields, { name, label: name, type: "text", expression }];
}

/** A last field that the database records by itself. */
function withRecorded(fields: Field[], recorded: Recorded | null): Field[] {
  const name = "recorded field";
  if (recorded === null || fields.some((field) => foldName(field.name) === name)) return fields;
  return [...fields, { name, label: name, type: recordedTypes[recorded], recorded }];
}

function withFields(table: Pick<Table, "name" | "id">, fields: Field[]): Table {
  const [first] = fields as [Field];
  const { name } = table;
  return {
    ...table,
    label: name,
    recordLabel: "thing",
    display: first.name,
    fields,
    columns: [],
    sort: [],
  };
}

/** A model of a few tables, none of which has an identity yet. */
export const modelArbitrary = fc
  .uniqueArray(plainTable, {
    minLength: 1,
    maxLength: 3,
    selector: ({ table }) => foldName(table.name),
  })
  .map((drawn): Model => {
    const target = drawn[0]?.table.name ?? "";
    const tables = drawn.map(({ table, isLinked }) => {
      const name = "link to the first";
      if (!isLinked || table.fields.some((field) => foldName(field.name) === name)) return table;
      const link: Field = { name, label: name, type: "link", target };
      return { ...table, fields: [...table.fields, link] };
    });
    return { version: 0, tables };
  });

const everyFieldChange = [
  "keep",
  "keep",
  "rename",
  "retype",
  "remove",
  "lose an option",
  "require",
  "ask for nothing",
] as const;
type FieldChange = (typeof everyFieldChange)[number];
const fieldChanges = fc.array(fc.constantFrom<FieldChange>(...everyFieldChange), {
  minLength: 20,
  maxLength: 20,
});

/** The change of a model: drawn separately from it, because only then it can be drawn at all. */
export const successionArbitrary = fc.record({
  fates: fieldChanges,
  additions: fc.uniqueArray(plainField, { maxLength: 3, selector: ({ name }) => foldName(name) }),
  newTypes: fc.array(plainField, { minLength: 20, maxLength: 20 }),
  reversed: fc.boolean(),
  tablesRenamed: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  tableNames: fc.constantFrom("new", "swapped", "of a removed one"),
  tablesReversed: fc.boolean(),
});
export type Succession =
  typeof successionArbitrary extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/**
 * The next model: fields renamed, retyped, removed, added, required or not, with fewer options, reordered;
 * tables removed, renamed and reordered.
 */
export function succeed(model: Model, succession: Succession): Model {
  const {
    fates: fieldChanges,
    additions,
    newTypes,
    reversed,
    tablesRenamed,
    tableNames,
    tablesReversed,
  } = succession;
  let at = 0;
  const tables = model.tables.map((table) => {
    const retained = table.fields.flatMap((field): Field[] => {
      at += 1;
      const fieldChange = fieldChanges[at % fieldChanges.length] as FieldChange;
      if (fieldChange === "remove" && table.fields.length > 1) return [];
      return [becoming(field, fieldChange, at, newTypes)];
    });
    const taken = new Set(retained.map(({ name }) => foldName(name)));
    const added = additions.filter(({ name }) => !taken.has(foldName(name)));
    const fields = following(table, [...retained, ...added]);
    if (fields.length === 0) return table;
    const ordered = reversed ? fields.toReversed() : fields;
    const { id, name } = table;
    const bare = withFields({ name, ...(id !== undefined && { id }) }, ordered);
    return { ...bare, ...declarationsAfter(table, ordered) };
  });
  const names = tables.map(({ name }) => name);
  // No other table links to the last one.
  const isRemoved = tableNames === "of a removed one" && tables.length > 1;
  const remaining = isRemoved ? tables.slice(0, -1) : tables;
  const named = renameTables(remaining, (index) => {
    if (tableNames === "swapped") return names.at(index - 1) as string;
    if (isRemoved && index === 0) return names.at(-1) as string;
    return tablesRenamed[index] ? `renamed ${index}` : (names[index] as string);
  });
  return { ...model, tables: tablesReversed ? named.toReversed() : named };
}

function becoming(
  field: Field,
  fieldChange: FieldChange,
  at: number,
  newTypes: readonly Field[],
): Field {
  const { required: _, unique: __, ...isUnconstrained } = field;
  const isFixed = field.type === "link" || isReadOnly(field);
  if (fieldChange === "rename") return { ...field, name: `new ${at} ${field.name}`.slice(0, 120) };
  if (fieldChange === "ask for nothing") return isUnconstrained;
  if (fieldChange === "require" && !isFixed) return { ...field, required: true };
  if (fieldChange === "lose an option" && field.options) {
    const options = field.options.filter(({ value }) => value !== LOST_OPTION);
    return { ...isUnconstrained, options };
  }
  if (fieldChange !== "retype" || isFixed) return field;
  const { type } = newTypes[at % newTypes.length] as Field;
  return ofType({ ...field, type }, at % 2 === 0, false);
}

/** Links follow the names of their targets. */
function renameTables(tables: readonly Table[], nameAt: (index: number) => string): Table[] {
  const nameOf = new Map(tables.map(({ name }, index) => [name, nameAt(index)]));
  return tables.map((table) => ({
    ...table,
    name: nameOf.get(table.name) ?? table.name,
    fields: table.fields.map((field) =>
      field.target === undefined
        ? field
        : { ...field, target: nameOf.get(field.target) ?? field.target },
    ),
  }));
}

/** Expressions read their fields by the current names, and go with them. */
function following(before: Table, fields: Field[]): Field[] {
  const after = new Map(fields.map((field) => [field.id ?? field.name, field.name]));
  const names = new Map(before.fields.map(({ id, name }) => [name, after.get(id ?? name)]));
  return fields.flatMap((field) => {
    if (field.expression === undefined) return [field];
    const reads = [...readsOf(before.fields.find(({ id }) => id === field.id) as Field, before)];
    if (reads.some(({ name }) => names.get(name) === undefined)) return [];
    const expression = renameInExpression(field.expression, (name) => names.get(name) ?? name);
    return [{ ...field, expression }];
  });
}
