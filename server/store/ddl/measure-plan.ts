import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type Explanation, englishText, wordingOf } from "../../../shared/error-texts/explain.ts";
import { explainPlan } from "../../../shared/error-texts/plan-texts.ts";
import { describeLoss, describeStep } from "../../../shared/model/describe-step.ts";
import { type Field, idOfTable, type Model } from "../../../shared/model/model.ts";
import { overwrites, type PlanStep, replacedBy } from "../../../shared/model/plan-step.ts";
import type { PlannedStep } from "../../../shared/protocol/model.ts";
import { columnType } from "../columns.ts";
import type { Db } from "../database.ts";
import { columnName, columnRef, identifier, quoted } from "../identifiers.ts";
import { takenNames } from "../managed-tables.ts";
import { conversion } from "./convert.ts";
import { emptied, holds } from "./replace-options.ts";
import { allOf, type Change, currentTable, statementsOf, targetNow } from "./step-statements.ts";

/** Counts what each step would lose and what blocks it, and writes its statements. */
export async function measurePlan(
  db: Db,
  steps: readonly PlanStep[],
  change: Change,
): Promise<PlannedStep[]> {
  const measured: PlannedStep[] = [];
  for (const step of steps) {
    const lossCount = await countLossyRows(db, step, change);
    const blocked =
      (await foreignTable(db, step, change)) ??
      (await dependentViews(db, step, change)) ??
      (await blockedRows(db, step, change));
    measured.push({
      kind: step.kind,
      table: step.table.name,
      ...("field" in step && { field: step.field.name }),
      ...sentenceOf(staysInDatabase(step, change) ?? describeStep(step)),
      sql: allOf(statementsOf(step, change)).map((statement) => textOf(db, statement)),
      ...(lossCount > 0 && { loses: costOf(lossCount, describeLoss(step, lossCount)) }),
      ...(blocked && { blocked }),
    });
  }
  return measured;
}

function sentenceOf(explanation: Explanation) {
  return { sentence: englishText(explanation), ...wordingOf(explanation) };
}

function costOf(rows: number, explanation: Explanation) {
  return { rows, ...sentenceOf(explanation) };
}

/** Why a step would touch a table that Watchfloor did not create; null if it doesn't. */
export async function foreignTable(db: Db, step: PlanStep, change: Change) {
  const { kind, table } = step;
  if (kind === "addTable" || kind === "renameTable") {
    const isFreed = change.from.tables.some(
      ({ name }) => name === table.name && !change.unmanaged.has(name),
    );
    if (!isFreed && (await takenNames(db, [table.name])).size > 0) {
      return costOf(0, explainPlan("plan.nameTaken", { name: table.name }));
    }
  }
  const { name } = currentTable(table, change.from);
  const isChanged = kind !== "removeTable" && allOf(statementsOf(step, change)).length > 0;
  if (!isChanged || !change.unmanaged.has(name)) return null;
  return costOf(0, explainPlan("plan.foreignTable", { name }));
}

/** Names in a sentence; a table may be shown by hundreds of views. */
const VIEWS_MAX = 3;

/** The views of other programs for which Postgres would refuse a step; null if there are none. */
async function dependentViews(db: Db, step: PlanStep, { from, unmanaged }: Change) {
  const { name } = currentTable(step.table, from);
  const column = columnThatGoes(step);
  if (unmanaged.has(name) || column === null) return null;
  const { rows } = await sql<{ view: string }>`
    select distinct v.oid::regclass::text as view from pg_depend d
    join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
    join pg_class v on v.oid = r.ev_class and v.relkind in ('v', 'm')
    where d.refclassid = 'pg_class'::regclass and d.refobjid = to_regclass(${quoted(name)})
      and (${column ?? null}::text is null or d.refobjsubid = (select attnum from pg_attribute
        where attrelid = d.refobjid and attname = ${column ?? null}::text))
    order by 1 limit ${VIEWS_MAX}`.execute(db);
  const views = rows.map(({ view }) => view);
  return views.length === 0 ? null : costOf(0, explainPlan("plan.viewDepends", { views }));
}

/** The column that a step drops or gives another type; undefined for all of a table, null for none. */
function columnThatGoes(step: PlanStep): string | undefined | null {
  switch (step.kind) {
    case "removeTable":
      return undefined;
    case "removeField":
      return columnName(step.field);
    case "recomputeField":
      return columnName(step.from);
    case "retypeField":
      return columnType(step.from) === columnType(step.field) ? null : columnName(step.from);
    default:
      return null;
  }
}

function staysInDatabase({ kind, table }: PlanStep, { unmanaged }: Change): Explanation | null {
  if (kind !== "removeTable" || !unmanaged.has(table.name)) return null;
  return explainPlan("plan.removeForeignTable", { table: table.label });
}

function textOf(db: Db, statement: RawBuilder<unknown>): string {
  return statement.compile(db).sql.replaceAll(/\s+/g, " ").trim();
}

async function countLossyRows(db: Db, step: PlanStep, change: Change): Promise<number> {
  const table = currentTable(step.table, change.from).name;
  switch (step.kind) {
    case "removeTable":
      return change.unmanaged.has(table) ? 0 : count(db, table, sql<SqlBool>`true`);
    case "removeField":
      // Computed values are not lost with the field.
      return step.field.expression === undefined ? count(db, table, filled(step.field)) : 0;
    case "recomputeField":
      return step.from.expression === undefined ? count(db, table, filled(step.from)) : 0;
    case "constrainField":
      return overwrites(step) ? count(db, table, filled(step.from)) : 0;
    case "replaceOptions":
      return count(
        db,
        table,
        holds(
          step,
          step.gone.filter((value) => replacedBy(step, value) === undefined),
        ),
      );
    case "retypeField": {
      const { lossless } = conversion(step.from, step.field, targetNow(step.field, change));
      return count(
        db,
        table,
        sql<SqlBool>`${filled(step.from)} and not coalesce(${lossless}, false)`,
      );
    }
    default:
      return 0;
  }
}

function filled(field: Field): RawBuilder<SqlBool> {
  const column = columnRef(field);
  return sql<SqlBool>`${column} is not null and ${column}::text <> ''`;
}

async function blockedRows(db: Db, step: PlanStep, { from }: Change) {
  const table = currentTable(step.table, from).name;
  if (step.kind === "addField" && step.field.required) {
    const { automatic, default: initial } = step.field;
    const rows = automatic || (initial ?? null) !== null ? 0 : await count(db, table, sql`true`);
    return blocked(rows, "plan.noDefault", step.field);
  }
  if (step.kind === "replaceOptions") {
    const { field, from: was } = step;
    const rows = field.required && was.required ? await count(db, table, emptied(step)) : 0;
    return blocked(rows, "plan.optionsRequired", field);
  }
  if (step.kind !== "constrainField" && step.kind !== "retypeField") return null;
  const { field } = step;
  if (field.required && !step.from.required) {
    const empty = sql<SqlBool>`not (${filled(step.from)}) or ${columnRef(field)} is null`;
    const rows = await count(db, table, empty);
    return blocked(rows, "plan.emptyValues", field);
  }
  if (field.unique && !step.from.unique) {
    const column = columnRef(field);
    const found = await sql<{ rows: number }>`select coalesce(sum(n), 0)::int as rows from (
      select count(*) as n from ${identifier(table)} where ${column} is not null
      group by ${column} having count(*) > 1) d`.execute(db);
    return blocked(found.rows[0]?.rows ?? 0, "plan.sharedValues", field);
  }
  return null;
}

type BlockedKey =
  | "plan.noDefault"
  | "plan.optionsRequired"
  | "plan.emptyValues"
  | "plan.sharedValues";

function blocked(rows: number, key: BlockedKey, { label }: Field) {
  return rows === 0 ? null : costOf(rows, explainPlan(key, { field: label, rows }));
}

async function count(db: Db, table: string, where: RawBuilder<SqlBool>) {
  const found = await sql<{ rows: number }>`
    select count(*)::int as rows from ${identifier(table)} where ${where}`.execute(db);
  return found.rows[0]?.rows ?? 0;
}

/** The ids of the tables that a plan touches, before it. */
export function touchedTables(steps: readonly PlanStep[], from: Model): string[] {
  const ids = new Set(steps.map((step) => idOfTable(step.table)));
  return from.tables.filter((table) => ids.has(idOfTable(table))).map((table) => table.name);
}
