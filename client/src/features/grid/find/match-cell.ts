import type { Json } from "../../../../../shared/filter/filter.ts";
import { foldCase } from "../../../../../shared/filter/fold-case.ts";
import { isFreeText, isReference } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { formatValue, type LabelOf } from "../../../records/fields/format-value.ts";
import { inputText } from "../../../records/fields/typed-text.ts";
import type { ViewRow } from "../../../sync/calls/read-view-rows.ts";
import type { GridController } from "../grid-controller.ts";

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
  return shownTexts(field, value, labelOf).some((text) => foldCase(text).includes(needle));
}

function shownTexts(field: Field, value: Json, labelOf: LabelOf): string[] {
  return [formatValue(field, value, labelOf), inputText(field, value, labelOf)];
}

/**
 * The text of a cell with every occurrence of `needle` replaced. A value that is shown in another form, such as a date or a link, is
 * replaced only as a whole: null where the text is a part of it.
 */
export function replaceText(
  field: Field,
  value: Json,
  { needle, replacement }: { needle: string; replacement: string },
  labelOf: LabelOf,
): string | null {
  if (isFreeText(field.type)) return replaceFolded(String(value), needle, replacement);
  const isWhole = shownTexts(field, value, labelOf).some((text) => foldCase(text) === needle);
  return isWhole ? replacement : null;
}

/** Folding changes the length of no character, so that places in a folded text are those in the text. */
function replaceFolded(text: string, needle: string, replacement: string): string {
  const folded = foldCase(text);
  let result = "";
  let from = 0;
  for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, from)) {
    result += text.slice(from, at) + replacement;
    from = at + needle.length;
  }
  return result + text.slice(from);
}

/** Reads the labels of links and users in these fields that are not cached. */
export async function loadLabels(
  { labels, fields }: GridController,
  names: readonly string[],
  rows: readonly Pick<ViewRow, "values">[],
): Promise<void> {
  for (const name of names) {
    const field = fields.get(name);
    if (!field || !isReference(field.type)) continue;
    const ids = rows.flatMap(({ values }) => values[name] ?? []).map(String);
    await labels.load(field, ids);
  }
}
