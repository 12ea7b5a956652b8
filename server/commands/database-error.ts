import { explain } from "../../shared/error-texts/explain.ts";
import { type Field, findTable, type Model, type Table } from "../../shared/model/model.ts";
import { type Subject, scopeOf } from "../../shared/policy/scope.ts";
import { invalidValue, isTransient, Refusal, unavailable } from "../../shared/protocol/errors.ts";
import { misfitRefusal } from "../policy/misfit-refusal.ts";
import { isUnavailable, isUnreachable } from "../store/is-unavailable.ts";
import { TableMisfit } from "../store/model-fit.ts";
import { objectName } from "../store/object-name.ts";
import type { WriteSession } from "../store/write-session.ts";
import { idIsTaken, isTaken, pointsNowhere } from "./check-values.ts";
import type { Op } from "./op.ts";

interface DriverError {
  code?: string;
  table?: string;
  column?: string;
  constraint?: string;
  /** The functions that were running, the innermost first. */
  where?: string;
}

/** Whether another server was faster with the same mutation id. */
export function isMutationTaken(error: unknown): boolean {
  const { code, constraint } = error as DriverError;
  return code === "23505" && constraint === "mutation_pkey";
}

/** The field whose automatic number was taken, with its table; null for any other error. */
export function takenNumber(error: unknown, model: Model) {
  const { code, constraint = "" } = error as DriverError;
  return code === "23505" ? numberedPlace(constraint, model) : null;
}

/** Whether the same call may be accepted later: the store was unavailable, or a queue was full. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Refusal)) return isUnreachable(error);
  return isTransient(error.code);
}

/**
 * A database error as a refusal of the catalogue: what our own checks can't see because another transaction
 * was faster, and what an adopted table checks for itself. Null if it is not one.
 */
export function refusalOf(
  error: unknown,
  op: string,
  { model, subject }: { model: Model; subject: Subject },
): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof TableMisfit) return misfitRefusal(error, { model, subject });
  if (isUnavailable(error)) return unavailable();
  const { code, column, constraint = "" } = error as DriverError;
  switch (code) {
    case "23505":
      return duplicateBy(constraint, model);
    case "23503":
      return op === "delete" ? linkedBy(constraint, model, subject) : brokenBy(constraint, model);
    case "23502":
      return invalidValue(column ?? "", "required", explain("value.empty"));
    case "23514":
      return invalidValue(constraint, "check", explain("value.databaseCheck"));
    case "22001":
    case "22003":
    case "22007":
    case "22008":
    case "22P02":
    case "22021":
    case "22P05":
      return invalidValue(column ?? "", "type", explain("value.databaseType"));
    default:
      return null;
  }
}

/** The database left rows out that were to be written. */
export class LeftOut extends Error {}

/** What a trigger of another program has left out without an error. */
export function leftOut(table: string): Refusal {
  const detail = { table, rule: "trigger" };
  return new Refusal("validation_failed", detail, explain("record.leftOut"));
}

/** Functions in the context of an error, as Postgres names them in whatever language. */
const RUNNING_FUNCTION = /^.*PL\/pgSQL.*?([^\s(]+\([^()]*\))/gm;

/** The functions of another program in which the database raised an error; none where it was raised by one of ours. */
function foreignFunctions(error: unknown): string[] {
  const { where = "" } = error as DriverError;
  const names = [...where.matchAll(RUNNING_FUNCTION)].map(([, name = ""]) => name);
  return names[0]?.startsWith("watchfloor.") ? [] : names;
}

/** Whether a trigger of another program refused a write. An internal error of Postgres within one is no refusal. */
export function isByTrigger(error: unknown): boolean {
  const { code = "" } = error as DriverError;
  return !isUnavailable(error) && !code.startsWith("XX") && foreignFunctions(error).length > 0;
}

/**
 * The refusal of a write by a trigger of another program, with its name. The reason is its author's own text (`raise exception`). It may name
 * any value, so it is shown to users who may read all of the table.
 */
export async function triggerRefusal(
  error: unknown,
  op: Op,
  { model, subject }: { model: Model; subject: Subject },
  session: Pick<WriteSession, "triggerOf">,
): Promise<Refusal> {
  const table = findTable(model, op.table);
  const scope = table && scopeOf(subject, table);
  const seesAll = scope?.filter === null && scope.fields.length >= (table?.fields.length ?? 0);
  const functions = foreignFunctions(error);
  const trigger = (await session.triggerOf(op.table, functions)) ?? functions[0] ?? "";
  const isRaised = (error as DriverError).code === "P0001" && error instanceof Error;
  const explanation =
    seesAll && isRaised
      ? explain("record.triggerReason", { trigger, reason: error.message.slice(0, 500) })
      : explain("record.trigger", { trigger });
  const detail = { table: op.table, rule: "trigger", trigger };
  return new Refusal("validation_failed", detail, explanation);
}

/** A Postgres constraint in terms of the model: the field and its table. */
interface Place {
  table: Table;
  field: Field;
}

function placeOf(constraint: string, kind: "key" | "link", model: Model): Place | null {
  for (const table of model.tables) {
    const field = table.fields.find((one) => objectName(table, one, kind) === constraint);
    if (field) return { table, field };
  }
  return null;
}

/** A value that another transaction took at the same moment; a key of no field is the record's own id. */
function duplicateBy(constraint: string, model: Model): Refusal {
  const place = placeOf(constraint, "key", model);
  if (!place) return new Refusal("duplicate", { fields: { id: idIsTaken } });
  const { table, field } = place;
  const fields = { [field.name]: isTaken(table, field) };
  return new Refusal("duplicate", { table: table.name, fields });
}

/** The automatic field whose next number a record has already. */
function numberedPlace(constraint: string, model: Model): Place | null {
  const place = placeOf(constraint, "key", model);
  return place?.field.automatic ? place : null;
}

/** A link whose target was deleted at the same moment. */
function brokenBy(constraint: string, model: Model): Refusal {
  const place = placeOf(constraint, "link", model);
  if (!place) return new Refusal("link_broken");
  return new Refusal("link_broken", { fields: { [place.field.name]: pointsNowhere(place.field) } });
}

/** What still links to a record to be deleted: named only to users who may see that link. */
function linkedBy(constraint: string, model: Model, subject: Subject): Refusal {
  const place = placeOf(constraint, "link", model);
  const scope = place && scopeOf(subject, place.table);
  if (!place || !scope?.fields.includes(place.field.name)) return stillLinked();
  const { table, field } = place;
  return stillLinked(explain("record.linkedBy", { table: table.label, field: field.label }), {
    by: { table: table.name, field: field.name },
  });
}

function stillLinked(explanation = explain("record.linked"), detail = {}): Refusal {
  const fields = { id: { rule: "linked", ...explanation } };
  return new Refusal("still_linked", { ...detail, fields }, explanation);
}
