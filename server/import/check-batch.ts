import { explain } from "../../shared/error-texts/explain.ts";
import { explainRow } from "../../shared/error-texts/row-texts.ts";
import { isReference } from "../../shared/model/field-types.ts";
import { initialValue } from "../../shared/model/initial-value.ts";
import { findTable, type Table, type Values } from "../../shared/model/model.ts";
import { governedBy } from "../../shared/model/state-of.ts";
import { initialStates } from "../../shared/model/workflow.ts";
import { grantOn } from "../../shared/policy/role.ts";
import { type Subject, scopeOf } from "../../shared/policy/scope.ts";
import type { RowError } from "../../shared/protocol/imports.ts";
import type { Identity } from "../auth/identity.ts";
import { explainInitialState } from "../commands/check-state.ts";
import { requiredProblems } from "../commands/check-values.ts";
import type { Op } from "../commands/op.ts";
import type { Batch } from "./apply-batch.ts";
import type { DryRunRecords } from "./dry-run-records.ts";
import { existingRecordError } from "./existing-record.ts";
import type { ColumnPlan } from "./plan-columns.ts";
import { identifyingText, type PlannedRow, planOps } from "./plan-ops.ts";
import type { ImportRow } from "./read-row.ts";
import { existingIds, type KnownRecord, recognise, recordsById } from "./recognise.ts";
import { fieldError, rowError } from "./row-errors.ts";
import { idOf, namedId } from "./row-id.ts";

type PlannedWrite = Extract<PlannedRow, { op: unknown }>;

/**
 * The dry run: counts what would change and reports what would be refused, and writes nothing. It checks
 * rights, required and unique fields and links; only the real run decides, because others work meanwhile.
 * `earlier` holds what earlier rows would have changed. A row that would be refused changes nothing for those after it.
 */
export async function checkBatch(
  batch: Batch,
  identity: Identity,
  rows: readonly ImportRow[],
  earlier: DryRunRecords,
): Promise<void> {
  const { table, plan, report } = batch;
  const textOf = (row: ImportRow) => identifyingText(table, plan, row);
  const known = await recognise(batch, identity, rows);
  earlier.addTo(known, rows.map(textOf), plan);
  const missing = await missingTargets(batch, identity, rows);
  const taken = await takenIds(
    batch,
    identity,
    rows.filter((row) => !known.has(textOf(row))),
  );
  for (const row of rows) {
    const text = textOf(row);
    const before = known.get(text);
    const [one] = planOps(table, plan, [row], known) as [PlannedRow];
    const errors = one.kind === "refused" ? [one.error] : [];
    if ("op" in one) errors.push(...validateRow(one, table, identity, missing));
    const existing = one.kind === "created" ? taken.get(idOf(table, row)) : undefined;
    const duplicate = existing && existingRecordError(table, plan, row, existing);
    if (duplicate) errors.push(duplicate);
    if (errors.length) {
      report.fail(errors);
      if (before) known.set(text, before);
      else known.delete(text);
    } else if (one.kind !== "refused") {
      report.finish(one.kind);
      if ("op" in one && isNamedAgain(table, plan, row)) {
        const record = known.get(text)?.[0] ?? createdBy(table, one);
        known.set(text, [record]);
        earlier.remember(text, record, plan);
      }
    }
  }
}

/** Stored records with the ids that rows with a key would give new ones. */
async function takenIds(
  batch: Batch,
  identity: Identity,
  rows: readonly ImportRow[],
): Promise<Map<string, KnownRecord>> {
  if (batch.plan.key === null) return new Map();
  const ids = rows.map((row) => idOf(batch.table, row));
  return recordsById(batch, identity, ids);
}

/** Whether a later row can be about the same record: an id made of a row's content contains its line. */
function isNamedAgain(table: Table, plan: ColumnPlan, row: ImportRow): boolean {
  return plan.key !== null || namedId(table, row) !== null;
}

/** The record of a row without a key. */
function createdBy(table: Table, { row, op }: PlannedWrite): KnownRecord {
  const values = op.op === "create" ? op.values : {};
  return { id: idOf(table, row), values: withDefaults(table, values, true) };
}

function validateRow(
  { row: { line }, op, kind }: PlannedWrite,
  table: Table,
  { subject }: Identity,
  missing: ReadonlyMap<string, ReadonlySet<string>>,
): RowError[] {
  const right = kind === "created" ? "create" : op.op === "transition" ? "transitions" : "update";
  if (!grantOn(subject.role, table)[right]) {
    const labels = { table: table.label.toLowerCase() };
    const explanation = explain(`right.${right}`, labels);
    return [rowError({ line, code: "forbidden", rule: right }, explanation)];
  }
  const values = op.op === "create" ? op.values : "set" in op ? (op.set ?? {}) : {};
  const fields =
    op.op === "create" ? table.fields : table.fields.filter(({ name }) => name in values);
  const lacking =
    requiredProblems(table, withDefaults(table, values, op.op === "create"), fields) ?? {};
  const visible = scopeOf(subject, table)?.fields ?? [];
  const errors: RowError[] = Object.entries(lacking).map(([field, problem]) =>
    visible.includes(field)
      ? fieldError({ line, field }, problem)
      : rowError({ line, code: "validation_failed", rule: problem.rule }, hiddenRequired),
  );
  errors.push(...stateErrors(line, { table, op, subject }));
  return [...errors, ...brokenLinks(line, table, values, missing)];
}

const hiddenRequired = explainRow("row.hiddenRequired");

/** A new record in a state that is not initial, or a change of state without a transition. */
function stateErrors(
  line: number,
  { table, op, subject }: { table: Table; op: Op; subject: Subject },
): RowError[] {
  const governed = governedBy(table);
  if (!governed || !(op.op === "create" || op.op === "update")) return [];
  const field = governed.stateField;
  const state = (op.op === "create" ? op.values : op.set)[field] ?? null;
  if (op.op === "update" && field in op.set) {
    const facts = { line, field, code: "transition_required", rule: "state" };
    return [rowError(facts, explainRow("row.transitionRequired"))];
  }
  const initial = initialStates(governed.workflow);
  const mayBegin = grantOn(subject.role, table).createInAnyState ?? false;
  if (op.op === "update" || state === null || mayBegin || initial.includes(String(state)))
    return [];
  const facts = { line, field, code: "forbidden", rule: "createInAnyState" };
  return [rowError(facts, explainInitialState(table, initial, state))];
}

function withDefaults(table: Table, values: Values, isNew: boolean): Values {
  if (!isNew) return values;
  const now = new Date().toISOString();
  const defaults = table.fields.map((field) => [field.name, initialValue(field, now)]);
  return { ...Object.fromEntries(defaults), ...values };
}

function brokenLinks(
  line: number,
  table: Table,
  values: Values,
  missing: ReadonlyMap<string, ReadonlySet<string>>,
): RowError[] {
  return table.fields
    .filter(({ name }) => missing.get(name)?.has(String(values[name])))
    .map(({ name, label }) => {
      const facts = { line, field: name, code: "link_broken", rule: "link" };
      return rowError(facts, explain("value.noTarget", { field: label }));
    });
}

/** By field: the ids in rows that do not exist for this user. */
async function missingTargets(
  batch: Batch,
  identity: Identity,
  rows: readonly ImportRow[],
): Promise<Map<string, Set<string>>> {
  const { plan, model, users } = batch;
  const missing = new Map<string, Set<string>>();
  for (const { field } of plan.columns) {
    if (!isReference(field.type)) continue;
    const linkedIds = new Set(
      rows.map(({ values }) => values[field.name]).filter((v) => typeof v === "string"),
    );
    const there =
      field.type === "person"
        ? new Set((await users(identity)).map(({ id }) => id))
        : await existingIds(batch, identity, findTable(model(), field.target ?? ""), linkedIds);
    missing.set(field.name, new Set([...linkedIds].filter((id) => !there.has(id))));
  }
  return missing;
}
