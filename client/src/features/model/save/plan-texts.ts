import { planTexts } from "../../../../../shared/error-texts/plan-texts.ts";
import { addExplanations, explanationMessages } from "../../../messages/en/explanations.ts";
import { propertyLabels } from "../labels/describe-changes.ts";
import { fieldTypes } from "../labels/field-types.ts";

/** Adds the sentences of plans, and the labels of the types and properties that they name. */
addExplanations(planTexts);
for (const [type, { name }] of Object.entries(fieldTypes)) {
  explanationMessages.set(`type.${type}`, name);
}
for (const [property, label] of Object.entries(propertyLabels)) {
  explanationMessages.set(`property.${property}`, label);
}
