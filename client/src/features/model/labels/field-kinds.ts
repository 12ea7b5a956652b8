import type { Field, FieldType, Model, Recorded } from "../../../../../shared/model/model.ts";
import { recordedTypes } from "../../../../../shared/model/recorded.ts";
import { patched } from "../document/edit-model.ts";
import { changeFieldType } from "../fields/change-field-type.ts";
import { fieldTypes } from "./field-types.ts";

/**
 * What a person chooses from as the kind of a field: the types that people fill, and what the database
 * keeps of a record by itself. The latter are no types of their own (shared/model/recorded.ts).
 */

export type FieldKind = FieldType | Recorded | "recordId";

const recorded: Record<Recorded, { name: string; hint: string }> = {
  createdAt: { name: "Created at", hint: "When the record was made; nobody writes it" },
  createdBy: { name: "Created by", hint: "Who made the record; nobody writes it" },
  updatedAt: { name: "Updated at", hint: "When the record was last changed; nobody writes it" },
  updatedBy: { name: "Updated by", hint: "Who last changed the record; nobody writes it" },
};

/** An id as a column is worked out: from the id. */
const ID = "id";
const recordId = { name: "Record id", hint: "What stands for the record in addresses and imports" };

export const fieldKinds: Record<FieldKind, { name: string; hint: string }> = {
  ...fieldTypes,
  ...recorded,
  recordId,
};

export const kindGroups = [
  { group: "Filled by people", kinds: Object.keys(fieldTypes) as FieldKind[] },
  { group: "Kept of each record", kinds: [...(Object.keys(recorded) as Recorded[]), "recordId"] },
] satisfies { group: string; kinds: FieldKind[] }[];

export function kindOfField(field: Field): FieldKind {
  if (field.recorded !== undefined) return field.recorded;
  return field.type === "text" && field.expression === ID ? "recordId" : field.type;
}

/** Whether what fills the field is settled by its kind. */
export function isComputedKind(field: Field): boolean {
  return kindOfField(field) !== field.type;
}

/** What is asked of those who fill a field, and by what it is filled otherwise: nothing of it stays. */
const inputConstraints = {
  required: undefined,
  unique: undefined,
  immutable: undefined,
  default: undefined,
  automatic: undefined,
  derive: undefined,
  minimum: undefined,
  maximum: undefined,
  pattern: undefined,
  patternHint: undefined,
};

/** The field as one of another kind. */
export function changeFieldKind(field: Field, kind: FieldKind, model: Model): Field {
  const { expression, recorded: _, ...rest } = field;
  const plain: Field =
    isComputedKind(field) || expression === undefined ? rest : { ...rest, expression };
  if (kind in recordedTypes) {
    const type = recordedTypes[kind as Recorded];
    const unconstrained = patched(changeFieldType(rest, type, model), inputConstraints);
    return { ...unconstrained, recorded: kind as Recorded };
  }
  if (kind === "recordId") {
    return { ...patched(changeFieldType(rest, "text", model), inputConstraints), expression: ID };
  }
  return changeFieldType(plain, kind as FieldType, model);
}
