import { sql } from "kysely";
import { kindOfType } from "../../../shared/model/field-types.ts";
import {
  type Field,
  findTable,
  idOfTable,
  type Model,
  type Table,
} from "../../../shared/model/model.ts";
import type { PlanStep } from "../../../shared/model/plan-step.ts";
import { removeCapture } from "../capture.ts";
import { columnType } from "../columns.ts";
import { columnRef, identifier, tableRef } from "../identifiers.ts";
import { objectName } from "../object-name.ts";
import { stampFromLog } from "../stamps.ts";
import { conversion } from "./convert.ts";
import * as ddl from "./field-ddl.ts";
import { replaceOptions } from "./replace-options.ts";

/** The models by which stored names follow what they mean. */
export type NameChange = Pick<Change, "from" | "to">;

/** A change from one model to another, both with identities. */
export interface Change {
  from: Model;
  to: Model;
  /**
   * Ids of tables that are too large to be locked while an index is built or their links are checked: that is
   * done after the change (complete-tables.ts).
   */
  large?: ReadonlySet<string>;
  /** Names of what was built ahead (prepare-plan.ts): it is taken over. */
  prepared?: ReadonlySet<string>;
  /** Tables of `from`, by name, that Watchfloor did not create (managed-tables.ts): never altered or dropped. */
  unmanaged: ReadonlySet<string>;
}

/**
 * The statements of a step, in four rounds. First, on the existing, captured tables: links are removed and
 * values that would not fit are emptied. Then computed columns are taken `off`, because what they read can't
 * be changed under them. They and the links are created last.
 */
interface StepStatements {
  first: ddl.Sql[];
  off: ddl.Sql[];
  main: ddl.Sql[];
  last: ddl.Sql[];
}

/** All statements of a step, in order. */
export function allOf({ first, off, main, last }: StepStatements): ddl.Sql[] {
  return [...first, ...off, ...main, ...last];
}

/** What a step does to the database; nothing if it only changes labels. */
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
      if (change.unmanaged.has(table.name)) return { ...none, main: removeCapture(table) };
      return {
        ...none,
        first: table.fields.flatMap((field) => ddl.dropLink(table, field)),
        // By an ordinary delete, so that the change log has every record as it was, and who removed it.
        main: [
          sql`delete from ${tableRef(table)}`,
          sql`drop table ${tableRef(table)}`,
          ddl.dropEntrySequence(table),
          ...table.fields.flatMap((field) => ddl.dropSequence(table, field)),
        ],
      };
    case "renameTable":
      return { ...none, main: renameTable(step.from, table.name) };
    case "addField":
      return { ...none, ...addField(table, step.field, change) };
    case "removeField":
      return { ...none, ...removeField(step, change) };
    case "recomputeField":
      return {
        ...none,
        first: ddl.dropLink(currentTable(table, change.from), step.from),
        off: [dropColumn(currentTable(table, change.from), step.from)],
        main: ddl.dropSequence(table, step.from),
        last: [addColumn(table, step.field), ...addIndexes(table, step.field, change)],
      };
    case "retypeField":
    case "constrainField":
      return rebuildField(step, change);
    case "replaceOptions":
      return { ...none, first: [replaceOptions(currentTable(table, change.from), step)] };
    default:
      return none;
  }
}

/** The table's name before the plan. */
export function currentTable(table: Table, from: Model): Table {
  return from.tables.find((one) => idOfTable(one) === idOfTable(table)) ?? table;
}

function renameTable(from: string, to: string): ddl.Sql[] {
  return [
    sql`alter table ${identifier(from)} rename to ${identifier(to)}`,
    sql`update watchfloor.feed set table_name = ${sql.lit(to)} where table_name = ${sql.lit(from)}`,
  ];
}

function removeField(
  { table, field }: PlanStep & { kind: "removeField" },
  { from }: Change,
): Partial<StepStatements> {
  const before = currentTable(table, from);
  if (field.expression !== undefined) return { off: [dropColumn(before, field)] };
  return {
    first: ddl.dropLink(before, field),
    main: [dropColumn(table, field), ...ddl.dropSequence(table, field)],
  };
}

function dropColumn({ name }: Table, field: Field): ddl.Sql {
  return sql`alter table ${identifier(name)} drop column ${columnRef(field)}`;
}

function addColumn(table: Table, field: Field): ddl.Sql {
  return sql`alter table ${tableRef(table)} add column ${ddl.columnDefinition(table, field)}`;
}

function addIndexes(table: Table, field: Field, { large }: Change): ddl.Sql[] {
  return large?.has(idOfTable(table)) ? [] : ddl.addIndexes(table, field);
}

function addLink(table: Table, field: Field, { large }: Change): ddl.Sql[] {
  return ddl.addLink(table, field, { isValidated: !large?.has(idOfTable(table)) });
}

/** The name of a new field's column among what was built ahead. */
export const preparedColumn = (field: Field, table: Table) =>
  `column ${objectName(table, field, "key")}`;

function addUnique(table: Table, field: Field, { prepared }: Change): ddl.Sql[] {
  const isBuilt = prepared?.has(objectName(table, field, "key")) ?? false;
  return ddl.addUnique(table, field, { isBuilt });
}

/** Postgres accepts a validated constraint as proof, and does not read the table again. */
function setFilled(table: Table, field: Field, { prepared }: Change): ddl.Sql[] {
  const proof = objectName(table, field, "filled");
  const drop = sql`alter table ${tableRef(table)} drop constraint ${identifier(proof)}`;
  return [ddl.setRequired(table, field), ...(prepared?.has(proof) ? [drop] : [])];
}

function addField(table: Table, field: Field, change: Change): Partial<StepStatements> {
  if (field.expression !== undefined) {
    return { last: [addColumn(table, field), ...addIndexes(table, field, change)] };
  }
  return {
    main: [
      ...ddl.createSequence(table, field),
      change.prepared?.has(preparedColumn(field, table))
        ? ddl.publishColumn(table, field)
        : addColumn(table, field),
      ...addUnique(table, field, change),
      ...addIndexes(table, field, change),
    ],
    last: [...addLink(table, field, change), ...stampFromLog(table, field)],
  };
}

/** Everything that depends on the column's type or declaration is dropped and created again. */
function rebuildField(
  step: PlanStep & { kind: "retypeField" | "constrainField" },
  change: Change,
): StepStatements {
  const { table, field, from } = step;
  const before = currentTable(table, change.from);
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
      ...sequenceOf(table, from, field),
      ...(isWorkedOut ? [] : [ddl.setDefault(table, field)]),
      ...(field.automatic ? [] : ddl.dropSequence(table, from)),
      ...(uniqueDiffers ? addUnique(table, field, change) : []),
      ...(nullsDiffer && field.required ? setFilled(table, field, change) : []),
      ...(rebuilt ? addIndexes(table, field, change) : []),
    ],
    last: [
      ...(field.type === "link" && (isRetyped || from.onDelete !== field.onDelete)
        ? addLink(table, field, change)
        : []),
      ...(from.recorded === field.recorded ? [] : stampFromLog(table, field)),
    ],
  };
}

function sequenceOf(table: Table, from: Field, to: Field): ddl.Sql[] {
  if (!from.automatic) return ddl.createSequence(table, to);
  return from.automatic.start === to.automatic?.start ? [] : ddl.restartSequence(table, to);
}

/** The name of a link's target table before the plan; null if it is new. */
export function targetNow({ target }: Field, { from, to }: Change): string | null {
  const targetTable = findTable(to, target ?? "");
  const now =
    targetTable && from.tables.find((table) => idOfTable(table) === idOfTable(targetTable));
  return now?.name ?? null;
}

/** By an ordinary update, so that the change log has who lost what. */
function empty(
  before: Table,
  step: PlanStep & { kind: "retypeField" | "constrainField" },
  change: Change,
): ddl.Sql {
  const column = columnRef(step.field);
  const { fits } = conversion(step.from, step.field, targetNow(step.field, change));
  return sql`update ${tableRef(before)} set ${column} = null
    where ${column} is not null and not coalesce(${fits}, false)`;
}

/** A column whose storage type does not change is not rewritten. */
function retype(table: Table, from: Field, to: Field): ddl.Sql[] {
  const name = tableRef(table);
  const column = columnRef(to);
  const unset = sql`alter table ${name} alter column ${column} drop default`;
  if (columnType(from) === columnType(to)) return [unset];
  const { value } = conversion(from, to, null);
  const collated = kindOfType[to.type] === "text" ? sql`${value} collate "C"` : value;
  return [
    unset,
    sql`alter table ${name} alter column ${column} type ${sql.raw(columnType(to))} using ${collated}`,
  ];
}
