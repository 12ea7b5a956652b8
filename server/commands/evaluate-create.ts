import { explain } from "../../shared/error-texts/explain.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { isStorable } from "../../shared/filter/storable.ts";
import { withComputedValues } from "../../shared/model/expression/compute-values.ts";
import { initialValue } from "../../shared/model/initial-value.ts";
import { type Field, findField, type Table, type Values } from "../../shared/model/model.ts";
import { pickValues } from "../../shared/model/pick-values.ts";
import { isReadOnly, stamped } from "../../shared/model/recorded.ts";
import { governedBy } from "../../shared/model/state-of.ts";
import { initialStates } from "../../shared/model/workflow.ts";
import type { Scope } from "../../shared/policy/scope.ts";
import { invalidValue, Refusal } from "../../shared/protocol/errors.ts";
import { canSee, requireCreate, requireKnownFields } from "../policy/authorize.ts";
import type { RowWrite } from "../store/write-statements.ts";
import type { Deletion } from "./change-history.ts";
import { requireInitialState } from "./check-state.ts";
import {
  checkKey,
  checkLinks,
  checkUnique,
  derivedValues,
  idIsTaken,
  normalizeValues,
  requiredProblems,
  requireRules,
} from "./check-values.ts";
import { type EvaluatedOp, type EvaluationContext, noteOf, stampOf } from "./evaluation-context.ts";
import { idOfNew, type Op } from "./op.ts";
import { positionOf, recordDeleted, restorerSince } from "./stored-record.ts";

/** Creates a record with its defaults and derived values, in a scope that its author may read. */
export function evaluateCreate(
  op: Op & { op: "create" },
  table: Table,
  scope: Scope,
  context: EvaluationContext,
  { restored = false, entry }: { restored?: boolean; entry?: number | null } = {},
): EvaluatedOp {
  requireCreate(context.mutation.subject, table);
  if (!restored) requireKnownFields(scope, Object.keys(op.values));
  const record = restored && op.record !== undefined ? op.record : idOfNew(table, op);
  if (!isStorable(record)) throw new Refusal("invalid_request", { at: "record" });
  if (!restored) requireAddress(record);
  const requested = restored ? writableValues(table, op.values) : op.values;
  const given = normalizeValues(table, requested, () => restored);
  const recordedValues = stamped(
    table,
    restored ? creationStamps(table, op.values) : {},
    stampOf(context),
    true,
  );
  const values = complete(table, record, { ...given, ...recordedValues }, context.now);
  if (!restored) requireInitialState(table, { record, given, values }, scope, context);
  // Rights first: an author without the right to create learns nothing about other records.
  if (!canSee(scope, table, record, values)) {
    throw new Refusal("forbidden", { right: "create", table: table.name });
  }
  const problems = requiredProblems(table, values, table.fields);
  if (problems) throw new Refusal("validation_failed", { fields: problems });
  requireRules(table, record, values, null, context);
  if (context.rows.record(table, record)) throw idTaken(table);
  // What a deleted record linked to was not loaded: the database's own check decides there.
  if (!restored) checkLinks(table, given, context);
  checkUnique(table, record, values, context);
  checkKey(op, table, scope, context);
  const written = {
    ...writableValues(table, values),
    ...(restored && creationStamps(table, op.values)),
  };
  const set = pickValues(written, (name) => isWritten(findField(table, name), written));
  const note = noteOf(context);
  const write: RowWrite = { kind: "insert", table, record, set, row: values, note };
  if (typeof entry === "number") write.entry = entry;
  return { table, record, write };
}

/** All values of the new record: given, else by default, else derived, else empty. */
function complete(table: Table, record: string, given: Values, now: string): Values {
  const values: Record<string, Json> = {};
  for (const field of table.fields) {
    values[field.name] = given[field.name] ?? null;
    if (given[field.name] === undefined) values[field.name] = initialValue(field, now);
  }
  const governed = governedBy(table);
  if (governed) values[governed.stateField] ??= initialStates(governed.workflow)[0] ?? null;
  if (table.idFrom !== undefined) values[table.idFrom] ??= record;
  return withComputedValues(table, record, { ...values, ...derivedValues(table, values) });
}

/** Whether a value is written: an empty one only if the column would get its default otherwise. */
function isWritten(field: Field | undefined, values: Values): boolean {
  if (!field) return false;
  const { name, default: initial, automatic } = field;
  return (values[name] ?? null) !== null || (!automatic && (initial ?? null) !== null);
}

/** Without what the database fills by itself. */
function writableValues(table: Table, values: Values): Values {
  return pickValues(values, (name) => {
    const field = findField(table, name);
    return !field || !isReadOnly(field);
  });
}

/** When and by whom a restored record was created. */
function creationStamps(table: Table, values: Values): Values {
  return pickValues(
    values,
    (name) => findField(table, name)?.recorded?.startsWith("created") ?? false,
  );
}

function idTaken(table: Table): Refusal {
  return new Refusal("duplicate", { table: table.name, fields: { id: idIsTaken } });
}

/** Browsers and servers remove these from an address, so such a record could never be opened. */
function requireAddress(record: string): void {
  if (record !== "." && record !== "..") return;
  throw invalidValue("id", "address", explain("record.noAddress", { id: JSON.stringify(record) }));
}

/**
 * Restores a deleted record as it was, in its place in the order of entry, by the checks for new ones: complete, also with fields that the author
 * may not see. The author neither writes nor learns them. One that was restored and deleted again since the author saw it
 * is refused: they have not seen what it held then, nor that somebody wants it deleted. So is one that was created anew under
 * the id: it is another record. One that exists is left unchanged, and the answer says who has restored it.
 */
export function evaluateRestore(
  { record, version }: Op & { op: "restore" },
  table: Table,
  scope: Scope,
  context: EvaluationContext,
): EvaluatedOp {
  const { history, mutation, rows } = context;
  const stored = rows.record(table, record);
  if (stored && canSee(scope, table, record, stored)) {
    const by = version === undefined ? null : restorerSince(version, table, record, scope, context);
    return { table, record, write: null, ...(by && { by }) };
  }
  // Read for a hidden record too, or else it would be answered sooner than a missing one.
  const deletion = history.deletion(table.name, record);
  if (stored || !deletion || !canSee(scope, table, record, deletion.before)) {
    throw new Refusal("not_found");
  }
  if (version !== undefined && !isSeen(version, deletion, rows.feed(table.name).head)) {
    throw recordDeleted(table, record, deletion, mutation);
  }
  const known = Object.entries(deletion.before).filter(([name]) => findField(table, name));
  const create = { op: "create", table: table.name, record } as const;
  const values = Object.fromEntries(known);
  const { entry } = deletion;
  return evaluateCreate({ ...create, values }, table, scope, context, { restored: true, entry });
}

/**
 * Whether a deletion is not later than a version. Numbers go on when an epoch ends, so a change of the model does not make
 * the version unknown; one beyond the head belongs to a lost history.
 */
function isSeen(version: string, { seq }: Deletion, head: number): boolean {
  const seen = positionOf(version).seq;
  return seq <= seen && seen <= head;
}
