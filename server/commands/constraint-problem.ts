import { explain } from "../../shared/error-texts/explain.ts";
import type { Field, Model, Table } from "../../shared/model/model.ts";
import { type Subject, scopeOf } from "../../shared/policy/scope.ts";
import { type FieldProblem, Refusal } from "../../shared/protocol/errors.ts";
import { objectName } from "../store/object-name.ts";

/** A Postgres constraint in terms of the model: the field and its table. */
export interface Place {
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
export function duplicateBy(constraint: string, model: Model): Refusal {
  const place = placeOf(constraint, "key", model);
  if (!place) return new Refusal("duplicate", { fields: { id: idIsTaken } });
  const { table, field } = place;
  const fields = { [field.name]: isTaken(table, field) };
  return new Refusal("duplicate", { table: table.name, fields });
}

/** The automatic field whose next number a record has already. */
export function numberedPlace(constraint: string, model: Model): Place | null {
  const place = placeOf(constraint, "key", model);
  return place?.field.automatic ? place : null;
}

/** Another record has the value of a unique field. */
export function isTaken(table: Table, field: Field): FieldProblem {
  const labels = { record: table.recordLabel, field: field.label.toLowerCase() };
  return { rule: "unique", ...explain("value.taken", labels) };
}

export const idIsTaken: FieldProblem = { rule: "unique", ...explain("record.idTaken") };

/** The value of a link names no record that its author could read. */
export function pointsNowhere(field: Field): FieldProblem {
  return { rule: "link", ...explain("value.noTarget", { field: field.label }) };
}

/** A link whose target was deleted at the same moment. */
export function brokenBy(constraint: string, model: Model): Refusal {
  const place = placeOf(constraint, "link", model);
  if (!place) return new Refusal("link_broken");
  return new Refusal("link_broken", { fields: { [place.field.name]: pointsNowhere(place.field) } });
}

/** What still links to a record to be deleted: named only to users who may see that link. */
export function linkedBy(constraint: string, model: Model, subject: Subject): Refusal {
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
