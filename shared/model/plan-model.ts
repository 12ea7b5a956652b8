import { deepEqual } from "../document/deep-equal.ts";
import type { Filter, Json } from "../filter/filter.ts";
import { renameFields } from "../filter/rename-fields.ts";
import type { Parsed } from "./expression/expression.ts";
import { expressionOf, namesIn } from "./expression/expression-of.ts";
import { kindOfType } from "./field-types.ts";
import {
  type Field,
  findField,
  idOfField,
  idOfTable,
  type Model,
  type Table,
  zoneOf,
} from "./model.ts";
import { fieldAfter } from "./names-after.ts";
import { noTable, type PlanStep } from "./plan-step.ts";
import { derivedWith, type NameOf, withFieldNames } from "./with-field-names.ts";

/**
 * The steps from one model to the next, both with identities (assignIdentities). Pure: builder and server use
 * the same plan. Removals come first, so that names are free; links to a table come after the table.
 */
export function planModel(from: Model, to: Model): PlanStep[] {
  const stored = new Map(from.tables.map((table) => [idOfTable(table), table]));
  const wantedIds = new Set(to.tables.map(idOfTable));
  const removed = from.tables.filter((table) => !wantedIds.has(idOfTable(table)));
  const pairs = to.tables.map((table) => ({ table, before: stored.get(idOfTable(table)) }));
  return [
    ...removed.map((table): PlanStep => ({ kind: "removeTable", table })),
    ...pairs.flatMap(({ table, before }): PlanStep[] =>
      before && before.name !== table.name
        ? [{ kind: "renameTable", table, from: before.name }]
        : [],
    ),
    ...pairs.flatMap(({ table, before }): PlanStep[] =>
      before ? [] : [{ kind: "addTable", table }],
    ),
    ...pairs.flatMap(({ table, before }) =>
      before ? planTable(before, table, (field, isNew) => targetId(field, isNew ? to : from)) : [],
    ),
    ...planOrder(from, to),
    ...(from.zone === to.zone
      ? []
      : [{ kind: "changeZone" as const, table: noTable, from: zoneOf(from), to: zoneOf(to) }]),
  ];
}

/** The order of the tables is part of the model: existing ones may be reordered. */
function planOrder(from: Model, to: Model): PlanStep[] {
  const retained = (one: Model, other: Model) => {
    const others = new Set(other.tables.map(idOfTable));
    return one.tables.map(idOfTable).filter((id) => others.has(id));
  };
  const [first] = to.tables;
  if (!first || same(retained(from, to), retained(to, from))) return [];
  return [{ kind: "orderTables", table: first, order: to.tables.map(({ label }) => label) }];
}

/** Links are compared by the id of the linked table. */
type TargetOf = (field: Field, isNew: boolean) => string | null;

function targetId({ type, target }: Field, model: Model): string | null {
  const table = type === "link" ? model.tables.find(({ name }) => name === target) : undefined;
  return table ? idOfTable(table) : null;
}

function planTable(before: Table, table: Table, targetOf: TargetOf): PlanStep[] {
  const stored = new Map(before.fields.map((field) => [idOfField(field), field]));
  const wantedIds = new Set(table.fields.map(idOfField));
  const removedFields = before.fields.filter((field) => !wantedIds.has(idOfField(field)));
  const steps: PlanStep[] = removedFields.map((field) => ({ kind: "removeField", table, field }));
  for (const field of table.fields) {
    const was = stored.get(idOfField(field));
    if (was) steps.push(...planField(was, field, { before, table, targetOf }));
    else steps.push({ kind: "addField", table, field });
  }
  const retained = (fields: readonly Field[]) =>
    fields.map(idOfField).filter((id) => stored.has(id) && wantedIds.has(id));
  if (!same(retained(before.fields), retained(table.fields)))
    steps.push({ kind: "orderFields", table });
  const nameOf = namesAfter(before, table);
  const renamed = withFieldNames(before, nameOf);
  const properties = differences(renamed, table, ["id", "name", "formerly", "fields"]);
  if (properties.length) steps.push({ kind: "describeTable", table, properties });
  return steps;
}

/** The new names of a table's fields, by their former names. */
function namesAfter(before: Table, table: Table): NameOf {
  return (name) => fieldAfter(name, before, table) ?? name;
}

/** Properties of a field that affect its storage. */
const constraints = [
  "required",
  "unique",
  "indexed",
  "default",
  "automatic",
  "onDelete",
  "recorded",
];
/** Properties that are compared separately. */
const ignoredProperties = [
  "id",
  "column",
  "logKey",
  "formerly",
  "name",
  "type",
  "scale",
  "target",
  "expression",
];

function planField(
  from: Field,
  field: Field,
  { before, table, targetOf }: { before: Table; table: Table; targetOf: TargetOf },
): PlanStep[] {
  const steps: PlanStep[] = [];
  if (from.name !== field.name) {
    steps.push({ kind: "renameField", table, field, from: from.name });
  }
  const renamed = derivedWith(from, namesAfter(before, table));
  const changed = differences(renamed, field, ignoredProperties);
  const isFreed = from.expression !== undefined && field.expression === undefined;
  const isRetyped =
    from.type !== field.type ||
    scaleOf(from) !== scaleOf(field) ||
    targetOf(from, false) !== targetOf(field, true);
  if (field.expression !== undefined && generationOf(from, before) !== generationOf(field, table)) {
    steps.push({ kind: "recomputeField", table, field, from });
  } else if (isRetyped && field.expression === undefined) {
    steps.push({ kind: "retypeField", table, field, from });
  } else if (isFreed || changed.some((property) => constraints.includes(property))) {
    steps.push({ kind: "constrainField", table, field, from });
  }
  const removedFields = isRetyped ? [] : removedOptions(from, field);
  if (removedFields.length)
    steps.push({ kind: "replaceOptions", table, field, from, gone: removedFields });
  const properties = changed.filter((property) => !constraints.includes(property));
  if (from.expression !== field.expression && !steps.some(isRecomputed) && !isFreed) {
    properties.push("expression");
  }
  if (properties.length) steps.push({ kind: "describeField", table, field, from, properties });
  return steps;
}

const isRecomputed = ({ kind }: PlanStep) => kind === "recomputeField";

/** Removed options that records may hold. */
function removedOptions(from: Field, to: Field): string[] {
  const left = new Set(to.options?.map(({ value }) => value));
  const values = (from.options ?? []).map(({ value }) => value);
  return to.options ? values.filter((value) => !left.has(value)) : [];
}

/** Digits after the point, if the type has them. */
function scaleOf({ type, scale }: Field): number | null {
  return kindOfType[type] === "decimal" ? (scale ?? 2) : null;
}

function differences(from: object, to: object, except: readonly string[]): string[] {
  const left = from as Record<string, Json | undefined>;
  const right = to as Record<string, Json | undefined>;
  const all = new Set([...Object.keys(from), ...Object.keys(to)]);
  const differs = (key: string) => !same(stored(key, left[key]), stored(key, right[key]));
  return [...all].filter((key) => !except.includes(key) && differs(key)).sort();
}

/** A switch that is off equals one that was never set; a default of “no” is a value. */
function stored(key: string, value: Json | undefined): Json | undefined {
  if (key === "options" && value !== undefined) return withoutOff(value);
  if (key === "workflow" && isObject(value)) {
    const parts = Object.entries(value).map(([part, all]) => [part, withoutOff(all)] as const);
    return Object.fromEntries(parts);
  }
  return value === false && key !== "default" ? undefined : value;
}

/** Options, states and transitions without their switches that are off. */
function withoutOff(all: Json): Json {
  if (!Array.isArray(all)) return all;
  return all.map((one) =>
    isObject(one)
      ? Object.fromEntries(Object.entries(one).filter(([, value]) => value !== false))
      : one,
  );
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** A property that is `null` equals an absent one. */
function same(a: unknown, b: unknown): boolean {
  return deepEqual(a ?? null, b ?? null);
}

/**
 * The computation of a field, independent of field names and notation: the column changes only if this
 * changes. Null for a field that users fill.
 */
function generationOf(field: Field, table: Table): string | null {
  const parsed = expressionOf(field);
  if (!parsed) return null;
  const reads = [...namesIn(parsed)].flatMap((name) => findField(table, name) ?? []);
  const ids = new Map(reads.map((read) => [read.name, idOfField(read)]));
  const kinds = reads.map((read) => [idOfField(read), storedType(read), generationOf(read, table)]);
  const tree = treeOf(parsed, (name) => ids.get(name) ?? name);
  return JSON.stringify([storedType(field), kinds, tree]);
}

function storedType({ type, scale }: Field): string {
  return kindOfType[type] === "decimal" ? `${type} ${scale ?? 2}` : type;
}

/** The tree as JSON, without positions and with the fields' identities. */
function treeOf(parsed: Parsed, identityOf: (name: string) => string): string {
  if ("condition" in parsed) return JSON.stringify(renameFields(parsed.condition, identityOf));
  return JSON.stringify(parsed.value, (key, part) => {
    if (key === "at") return undefined;
    if (key === "when") return renameFields(part as Filter, identityOf);
    return part?.type === "field" ? { type: "field", name: identityOf(part.name) } : part;
  });
}
