import type { Json } from "../../../../../shared/filter/filter.ts";
import { foldCase } from "../../../../../shared/filter/fold-case.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { formatValue, type LabelOf } from "../../../records/fields/format-value.ts";
import { inputText } from "../../../records/fields/input-text.ts";

/**
 * Whether a cell contains a text, in any case: as the cell shows it, or as it is copied, so that 1234 finds 1,234.
 * `needle` is folded.
 */
export function cellContains(
  field: Field,
  value: Json | undefined,
  needle: string,
  labelOf: LabelOf,
): boolean {
  if (needle === "" || value === null || value === undefined) return false;
  if (foldCase(formatValue(field, value, labelOf)).includes(needle)) return true;
  return foldCase(inputText(field, value, labelOf)).includes(needle);
}
