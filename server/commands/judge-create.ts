import type { Json } from "../../shared/filter/filter.ts";
import { isStorable } from "../../shared/filter/storable.ts";
import { workedOut } from "../../shared/model/expression/work-out.ts";
import { initialValue } from "../../shared/model/initial-value.ts";
import { type Field, findField, type Table, type Values } from "../../shared/model/model.ts";
import { isReadOnly, stamped } from "../../shared/model/recorded.ts";
import { governedBy } from "../../shared/model/state-of.ts";
import { initialStates } from "../../shared/model/workflow.ts";
import type { Scope } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { canSee, requireCreate, requireKnownFields } from "../policy/authorize.ts";
import { checkLinks, checkUnique } from "./check-references.ts";
import { requireInitialState } from "./check-state.ts";
import { derivedValues, normalizeValues, requiredProblems, requireRules } from "./check-values.ts";
import { idIsTaken } from "./constraint-problem.ts";
import { type Judged, type Judging, stampOf } from "./judging.ts";
import type { Op } from "./op.ts";
import { idOfNew } from "./record-id.ts";

/** A record is made with its defaults and derived values, in a place that its author may read. */
export function judgeCreate(
  op: Op & { op: "create" },
  table: Table,
  scope: Scope,
  judging: Judging,
  { restored = false } = {},
): Judged {
  requireCreate(judging.mutation.subject, table);
  if (!restored) requireKnownFields(scope, Object.keys(op.values));
  const record = restored && op.record !== undefined ? op.record : idOfNew(table, op);
  if (!isStorable(record)) throw new Refusal("invalid_request", { at: "record" });
  if (!restored) requireAddress(record);
  const wanted = restored ? filled(table, op.values) : op.values;
  const given = normalizeValues(table, wanted, restored);
  if (!restored) requireInitialState(table, { record, given }, scope, judging);
  const born = stamped(table, restored ? made(table, op.values) : {}, stampOf(judging), true);
  const values = complete(table, record, { ...given, ...born }, judging.now);
  // Rights first: whoever may not make this record learns nothing of what others hold.
  if (!canSee(scope, table, record, values)) {
    throw new Refusal("forbidden", { right: "create", table: table.name });
  }
  const problems = requiredProblems(table, values, table.fields);
  if (problems) throw new Refusal("validation_failed", { fields: problems });
  requireRules(table, record, values, null, judging.mutation);
  if (judging.rows.record(table, record)) throw taken(table);
  // What a deleted record linked to was not loaded: there the database's own check has the word.
  if (!restored) checkLinks(table, given, judging);
  checkUnique(table, record, values, judging);
  const written = { ...filled(table, values), ...(restored && made(table, op.values)) };
  const set = among(table, written, (field) => field !== undefined && isWritten(field, written));
  const { actor, id } = judging.mutation;
  const note = { actor, mutation: id };
  return { table, record, write: { kind: "insert", table, record, set, row: values, note } };
}

/** Everything that the record will hold: given, else by default, else derived, else empty. */
function complete(table: Table, record: string, given: Values, now: string): Values {
  const values: Record<string, Json> = {};
  for (const field of table.fields) {
    values[field.name] = given[field.name] ?? null;
    if (given[field.name] === undefined) values[field.name] = initialValue(field, now);
  }
  const governed = governedBy(table);
  if (governed) values[governed.stateField] ??= initialStates(governed.workflow)[0] ?? null;
  if (table.idFrom !== undefined) values[table.idFrom] ??= record;
  return workedOut(table, record, { ...values, ...derivedValues(table, values) });
}

/** Whether a value is said: an empty one only where the column would get its default otherwise. */
function isWritten({ name, default: initial, automatic }: Field, values: Values): boolean {
  return (values[name] ?? null) !== null || (!automatic && (initial ?? null) !== null);
}

/** Without what the database fills by itself. */
function filled(table: Table, values: Values): Values {
  return among(table, values, (field) => !field || !isReadOnly(field));
}

/** When and by whom a record was made that comes back. */
function made(table: Table, values: Values): Values {
  return among(table, values, (field) => field?.recorded?.startsWith("created") ?? false);
}

function among(table: Table, values: Values, isMeant: (field?: Field) => boolean): Values {
  const meant = Object.entries(values).filter(([name]) => isMeant(findField(table, name)));
  return Object.fromEntries(meant);
}

function taken(table: Table): Refusal {
  return new Refusal("duplicate", { table: table.name, fields: { id: idIsTaken } });
}

/** Browsers and servers take these out of an address, so such a record could never be called up. */
function requireAddress(record: string): void {
  if (record !== "." && record !== "..") return;
  const message = `A record can't be called ${JSON.stringify(record)}: it would have no address.`;
  throw new Refusal("validation_failed", { fields: { id: { rule: "address", message } } });
}
