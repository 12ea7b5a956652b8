import type { Field } from "../../../../../shared/model/model.ts";
import { modelLabelMessages as messages } from "../../../messages/en/model-labels.ts";

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
