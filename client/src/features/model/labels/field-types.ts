import type { FieldType } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { modelLabelMessages as messages } from "../../../messages/en/model-labels.ts";

/** The name and a hint for each field type. */
export const fieldTypes: Record<FieldType, { name: () => string; hint: () => string }> = {
  text: { name: messages.text, hint: messages.textHint },
  longText: { name: messages.longText, hint: messages.longTextHint },
  integer: { name: messages.integer, hint: messages.integerHint },
  decimal: { name: messages.decimal, hint: messages.decimalHint },
  money: { name: messages.money, hint: messages.moneyHint },
  percent: { name: messages.percent, hint: messages.percentHint },
  boolean: { name: messages.boolean, hint: messages.booleanHint },
  date: { name: messages.date, hint: messages.dateHint },
  timestamp: { name: messages.timestamp, hint: messages.timestampHint },
  duration: { name: messages.duration, hint: messages.durationHint },
  select: { name: messages.select, hint: messages.selectHint },
  multiSelect: { name: messages.multiSelect, hint: messages.multiSelectHint },
  person: { name: messages.person, hint: messages.personHint },
  link: { name: messages.link, hint: messages.linkHint },
  email: { name: messages.email, hint: messages.emailHint },
  url: { name: messages.url, hint: messages.urlHint },
  phone: { name: messages.phone, hint: messages.phoneHint },
  json: { name: messages.json, hint: messages.jsonHint },
};

/** The labels of a field's properties, for the builder and for comparisons. */
export const fieldProperties: Partial<Record<keyof Field, () => string>> = {
  name: messages.propName,
  label: messages.propLabel,
  type: messages.propType,
  help: messages.propHelp,
  required: messages.propRequired,
  unique: messages.propUnique,
  immutable: messages.propImmutable,
  indexed: messages.propIndexed,
  default: messages.propDefault,
  automatic: messages.propAutomatic,
  derive: messages.propDerive,
  expression: messages.propExpression,
  recorded: messages.propRecorded,
  scale: messages.propScale,
  currency: messages.propCurrency,
  target: messages.propTarget,
  onDelete: messages.propOnDelete,
  minimum: messages.propMinimum,
  maximum: messages.propMaximum,
  pattern: messages.propPattern,
  patternHint: messages.propPatternHint,
  width: messages.propWidth,
};
