import type { FieldType } from "../../../../../shared/model/field-types.ts";
import type { Field, Model, Recorded } from "../../../../../shared/model/model.ts";
import { patched } from "../../../../../shared/model/pick-values.ts";
import { recordedTypes } from "../../../../../shared/model/recorded.ts";
import { modelLabelMessages as messages } from "../../../messages/en/model-labels.ts";
import { changeFieldType } from "../fields/change-field-type.ts";

/**
 * The fields that the builder offers: one of each type, which shared/model/field-types.ts describes, and those with a value that is
 * recorded automatically, which are no types of their own (shared/model/recorded.ts).
 */
export type FieldChoice = FieldType | Recorded | "recordId";

interface OfferedType {
  name(): string;
  hint(): string;
  /** An expression that computes such a field. */
  example?: string;
}

/** How the builder offers each type of field. What a type is says shared/model/field-types.ts. */
export const offeredTypes: Record<FieldType, OfferedType> = {
  text: {
    name: messages.text,
    hint: messages.textHint,
    example: 'title & " (" & number & ")"',
  },
  longText: {
    name: messages.longText,
    hint: messages.longTextHint,
    example: 'title & " (" & number & ")"',
  },
  integer: { name: messages.integer, hint: messages.integerHint },
  decimal: { name: messages.decimal, hint: messages.decimalHint },
  money: { name: messages.money, hint: messages.moneyHint },
  percent: { name: messages.percent, hint: messages.percentHint },
  boolean: {
    name: messages.boolean,
    hint: messages.booleanHint,
    example: "due < resolved",
  },
  date: {
    name: messages.date,
    hint: messages.dateHint,
    example: "first(promised, due)",
  },
  timestamp: {
    name: messages.timestamp,
    hint: messages.timestampHint,
    example: "first(resolved, due)",
  },
  duration: {
    name: messages.duration,
    hint: messages.durationHint,
    example: "seconds_between(opened, resolved)",
  },
  select: { name: messages.select, hint: messages.selectHint },
  multiSelect: { name: messages.multiSelect, hint: messages.multiSelectHint },
  person: { name: messages.person, hint: messages.personHint },
  link: { name: messages.link, hint: messages.linkHint },
  email: { name: messages.email, hint: messages.emailHint },
  url: { name: messages.url, hint: messages.urlHint },
  phone: { name: messages.phone, hint: messages.phoneHint },
  json: { name: messages.json, hint: messages.jsonHint },
};

const recorded: Record<Recorded, { name: () => string; hint: () => string }> = {
  createdAt: { name: messages.createdAt, hint: messages.createdAtHint },
  createdBy: { name: messages.createdBy, hint: messages.createdByHint },
  updatedAt: { name: messages.updatedAt, hint: messages.updatedAtHint },
  updatedBy: { name: messages.updatedBy, hint: messages.updatedByHint },
};

/** A column with the record id is a computed field with this expression. */
const ID = "id";
const recordId = { name: messages.recordId, hint: messages.recordIdHint };

export const fieldChoices: Record<FieldChoice, { name: () => string; hint: () => string }> = {
  ...offeredTypes,
  ...recorded,
  recordId,
};

export const choiceGroups = [
  { group: messages.kindsEntered, choices: Object.keys(offeredTypes) as FieldChoice[] },
  {
    group: messages.kindsRecorded,
    choices: [...(Object.keys(recorded) as Recorded[]), "recordId"],
  },
] satisfies { group: () => string; choices: FieldChoice[] }[];

export function choiceOfField(field: Field): FieldChoice {
  if (field.recorded !== undefined) return field.recorded;
  return field.type === "text" && field.expression === ID ? "recordId" : field.type;
}

/** Whether the value is recorded or the id, so that nobody enters it. */
export function isOwnChoice(field: Field): boolean {
  return choiceOfField(field) !== field.type;
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

/** Makes a field another of the offered ones. */
export function chooseField(field: Field, choice: FieldChoice, model: Model): Field {
  const { expression, recorded: _, ...rest } = field;
  const plain: Field =
    isOwnChoice(field) || expression === undefined ? rest : { ...rest, expression };
  if (choice in recordedTypes) {
    const type = recordedTypes[choice as Recorded];
    const unconstrained = patched(changeFieldType(rest, type, model), inputConstraints);
    return { ...unconstrained, recorded: choice as Recorded };
  }
  if (choice === "recordId") {
    return { ...patched(changeFieldType(rest, "text", model), inputConstraints), expression: ID };
  }
  return changeFieldType(plain, choice as FieldType, model);
}
