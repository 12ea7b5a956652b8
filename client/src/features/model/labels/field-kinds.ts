import type { FieldType } from "../../../../../shared/model/field-types.ts";
import type { Field, Model, Recorded } from "../../../../../shared/model/model.ts";
import { recordedTypes } from "../../../../../shared/model/recorded.ts";
import { modelLabelMessages as messages } from "../../../messages/en/model-labels.ts";
import { patched } from "../document/edit-model.ts";
import { changeFieldType } from "../fields/change-field-type.ts";
import { fieldTypes } from "./field-types.ts";

/**
 * The kinds of fields to choose from: the field types, and values that are recorded automatically. The latter are not
 * types of their own (shared/model/recorded.ts).
 */

export type FieldKind = FieldType | Recorded | "recordId";

const recorded: Record<Recorded, { name: () => string; hint: () => string }> = {
  createdAt: { name: messages.createdAt, hint: messages.createdAtHint },
  createdBy: { name: messages.createdBy, hint: messages.createdByHint },
  updatedAt: { name: messages.updatedAt, hint: messages.updatedAtHint },
  updatedBy: { name: messages.updatedBy, hint: messages.updatedByHint },
};

/** A column with the record id is a computed field with this expression. */
const ID = "id";
const recordId = { name: messages.recordId, hint: messages.recordIdHint };

export const fieldKinds: Record<FieldKind, { name: () => string; hint: () => string }> = {
  ...fieldTypes,
  ...recorded,
  recordId,
};

export const kindGroups = [
  { group: messages.kindsEntered, kinds: Object.keys(fieldTypes) as FieldKind[] },
  { group: messages.kindsRecorded, kinds: [...(Object.keys(recorded) as Recorded[]), "recordId"] },
] satisfies { group: () => string; kinds: FieldKind[] }[];

export function kindOfField(field: Field): FieldKind {
  if (field.recorded !== undefined) return field.recorded;
  return field.type === "text" && field.expression === ID ? "recordId" : field.type;
}

/** Whether the field's kind determines its value. */
export function isComputedKind(field: Field): boolean {
  return kindOfField(field) !== field.type;
}

/** Properties that apply to values that users write only. */
export const inputConstraints = {
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

/** Converts a field to another kind. */
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
