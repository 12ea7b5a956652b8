import { describeFilter } from "../../../../shared/filter/describe.ts";
import type { LabelOf, ValueLabelOf } from "../../../../shared/filter/describe-operand.ts";
import type { Filter } from "../../../../shared/filter/filter.ts";
import { explanationText } from "../../messages/error-text.ts";

/** A filter as a sentence, in the language of the interface. */
export function filterText(filter: Filter, labelOf: LabelOf, valueLabelOf?: ValueLabelOf): string {
  return explanationText(describeFilter(filter, labelOf, valueLabelOf));
}
