import { sql } from "kysely";
import {
  type Field,
  findTable,
  idOfTable,
  kindOfType,
  type Model,
  type Table,
} from "../../../shared/model/model.ts";
import type { PlanStep } from "../../../shared/model/plan-step.ts";
import { columnName, columnType } from "../columns.ts";
import { stampFromLog } from "../stamps.ts";
import { conversion } from "./convert.ts";
import * as ddl from "./field-ddl.ts";
import { replaceOptions } from "./replace-options.ts";

/** A change from one model to another, both settled. */
export interface Change {
  from: Model;
  to: Model;
}

/**
 * The statements of a step, in four rounds. First, on tables as they stand and are captured: links are
 * let go and what would not fit is emptied. Then columns that are worked out are taken `off`, because
 * what they read can't be changed under them. They and the links are made last.
 */
export interface StepStatements {
  first: ddl.Sql[];
  off: ddl.Sql[];
  main: ddl.Sql[];
  last: ddl.Sql[];
}

/** All statements of a step, in order. */
export function allOf({ first, off, main, last }: StepStatements): ddl.Sql[] {
  return [...first, ...off, ...main, ...last];
}

/** What a step does to the database; nothing where it only changes words. */
export function statementsOf(step: PlanStep, change: Change): StepStatements {
  const { table } = step;
  const none = { first: [], off: [], main: [], last: [] };
  switch (step.kind) {
    case "addTable":
      return {
        ...none,
        main: ddl.createTable(table),
        last: table.fields.flatMap((field) => ddl.addLink(table, field)),
      };
    case "removeTable":
      return {
        ...none,
        first: table.fields.flatMap((field) => ddl.dropLink(table, field)),
        main: [
          sql`drop table ${sql.id(table.name)}`,
          ...table.fields.flatMap((field) => ddl.dropSequence(table, field)),
        ],
      };
    case "renameTable":
      return { ...none, main: renameTable(step.from, table.name) };
    case "addField":
      return { ...none, ...addField(table, step.field) };
    case "removeField":
      return { ...none, ...removeField(step, change) };
    case "recomputeField":
      return {
        ...none,
        first: ddl.dropLink(standing(table, change.from), step.from),
        off: [dropColumn(standing(table, change.from), step.from)],
        main: ddl.dropSequence(table, step.from),
        last: [addColumn(table, step.field), ...ddl.addIndexes(table, step.field)],
      };
    case "retypeField":
    case "constrainField":
      return rebuildField(step, change);
    case "replaceOptions":
      return { ...none, first: [replaceOptions(standing(table, change.from), step)] };
    default:
      return none;
  }
}

/** The table as it is called before the plan. */
export function standing(table: Table, from: Model): Table {
  return from.tables.find((one) => idOfTable(one) === idOfTable(table)) ?? table;
}

function renameTable(from: string, to: string): ddl.Sql[] {
  return [
    sql`alter table ${sql.id(from)} rename to ${sql.id(to)}`,
    sql`update watchfloor.feed set table_name = ${sql.lit(to)} where table_name = ${sql.lit(from)}`,
  ];
}

function removeField(
  { table, field }: PlanStep & { kind: "removeField" },
  { from }: Change,
): Partial<StepStatements> {
  const before = standing(table, from);
  if (field.expression !== undefined) return { off: [dropColumn(before, field)] };
  return {
    first: ddl.dropLink(before, field),
    main: [dropColumn(table, field), ...ddl.dropSequence(table, field)],
  };
}

function dropColumn({ name }: Table, field: Field): ddl.Sql {
  return sql`alter table ${sql.id(name)} drop column ${sql.id(columnName(field))}`;
}

function addColumn(table: Table, field: Field): ddl.Sql {
  return sql`alter table ${sql.id(table.name)} add column ${ddl.columnDefinition(table, field)}`;
}

function addField(table: Table, field: Field): Partial<StepStatements> {
  if (field.expression !== undefined) {
    return { last: [addColumn(table, field), ...ddl.addIndexes(table, field)] };
  }
  return {
    main: [
      ...ddl.createSequence(table, field),
      addColumn(table, field),
      ...ddl.addUnique(table, field),
      ...ddl.addIndexes(table, field),
    ],
    last: [...ddl.addLink(table, field), ...stampFromLog(table, field)],
  };
}

/** Everything that depends on the column's type or declaration is taken off and put on again. */
function rebuildField(
  step: PlanStep & { kind: "retypeField" | "constrainField" },
  change: Change,
): StepStatements {
  const { table, field, from } = step;
  const before = standing(table, change.from);
  const isRetyped = step.kind === "retypeField";
  const wasLink = from.type === "link" && (isRetyped || from.onDelete !== field.onDelete);
  const rebuilt = isRetyped || from.indexed !== field.indexed;
  const uniqueDiffers = Boolean(from.unique) !== Boolean(field.unique);
  const nullsDiffer = Boolean(from.required) !== Boolean(field.required);
  const isWorkedOut = field.expression !== undefined;
  const wasWorkedOut = from.expression !== undefined && !isWorkedOut;
  return {
    off: [],
    first: [
      ...(wasWorkedOut ? [ddl.dropExpression(before, from)] : []),
      ...(wasLink ? ddl.dropLink(before, from) : []),
      ...(nullsDiffer && from.required ? [ddl.setRequired(before, field)] : []),
      ...(isRetyped ? [empty(before, step, change)] : []),
    ],
    main: [
      ...(rebuilt ? ddl.dropIndexes(table, from) : []),
      ...(uniqueDiffers ? ddl.dropUnique(table, from) : []),
      ...(isRetyped ? retype(table, from, field) : []),
      ...ddl.createSequence(table, field),
      ...(isWorkedOut ? [] : [ddl.setDefault(table, field)]),
      ...(field.automatic ? [] : ddl.dropSequence(table, from)),
      ...(uniqueDiffers ? ddl.addUnique(table, field) : []),
      ...(nullsDiffer && field.required ? [ddl.setRequired(table, field)] : []),
      ...(rebuilt ? ddl.addIndexes(table, field) : []),
    ],
    last: [
      ...(field.type === "link" && (isRetyped || from.onDelete !== field.onDelete)
        ? ddl.addLink(table, field)
        : []),
      ...(from.recorded === field.recorded ? [] : stampFromLog(table, field)),
    ],
  };
}

/** How the table that a link shall lead to is called before the plan; null where it is to be made. */
export function targetNow({ target }: Field, { from, to }: Change): string | null {
  const wanted = findTable(to, target ?? "");
  const now = wanted && from.tables.find((table) => idOfTable(table) === idOfTable(wanted));
  return now?.name ?? null;
}

/** By an ordinary update, so that the change log keeps who lost what. */
function empty(
  before: Table,
  step: PlanStep & { kind: "retypeField" | "constrainField" },
  change: Change,
): ddl.Sql {
  const column = sql.id(columnName(step.field));
  const { fits } = conversion(step.from, step.field, targetNow(step.field, change));
  return sql`update ${sql.id(before.name)} set ${column} = null
    where ${column} is not null and not coalesce(${fits}, false)`;
}

/** A column whose kind stays is not rewritten. */
function retype(table: Table, from: Field, to: Field): ddl.Sql[] {
  const name = sql.id(table.name);
  const column = sql.id(columnName(to));
  const unset = sql`alter table ${name} alter column ${column} drop default`;
  if (columnType(from) === columnType(to)) return [unset];
  const { value } = conversion(from, to, null);
  const collated = kindOfType[to.type] === "text" ? sql`${value} collate "C"` : value;
  return [
    unset,
    sql`alter table ${name} alter column ${column} type ${sql.raw(columnType(to))} using ${collated}`,
  ];
}
