import type { Field, Model, Table } from "../../shared/model/model.ts";
import { type Subject, scopeOf } from "../../shared/policy/scope.ts";
import { type FieldProblem, Refusal } from "../../shared/protocol/errors.ts";
import { objectName } from "../store/object-name.ts";

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
export function duplicateBy(constraint: string, model: Model): Refusal {
  const place = placeOf(constraint, "key", model);
  if (!place) return new Refusal("duplicate", { fields: { id: idIsTaken } });
  const { table, field } = place;
  const message = `Another ${table.recordLabel} has this ${field.label.toLowerCase()}.`;
  const fields = { [field.name]: { rule: "unique", message } };
  return new Refusal("duplicate", { table: table.name, fields });
}

export const idIsTaken: FieldProblem = {
  rule: "unique",
  message: "A record with this id exists already.",
};

/** A link whose target was deleted at the same moment. */
export function brokenBy(constraint: string, model: Model): Refusal {
  const place = placeOf(constraint, "link", model);
  if (!place) return new Refusal("link_broken");
  const message = `${place.field.label} points to nothing that exists.`;
  return new Refusal("link_broken", { fields: { [place.field.name]: { rule: "link", message } } });
}

/** What still links to a record to be deleted: named only to users who may see that link. */
export function linkedBy(constraint: string, model: Model, subject: Subject): Refusal {
  const place = placeOf(constraint, "link", model);
  const scope = place && scopeOf(subject, place.table);
  if (!place || !scope?.fields.includes(place.field.name)) return stillLinked();
  const { table, field } = place;
  return stillLinked(`${table.label} link to this one by ${field.label}.`, {
    by: { table: table.name, field: field.name },
  });
}

function stillLinked(message = "Other records link to this one.", detail = {}): Refusal {
  const fields = { id: { rule: "linked", message } };
  return new Refusal("still_linked", { ...detail, fields }, message);
}
