import type { Json } from "../../../../../shared/filter/filter.ts";
import { foldCase } from "../../../../../shared/filter/fold-case.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import type { RecordView } from "../../../state/record-view.ts";
import type { GridController } from "../grid-controller.ts";
import { cellContains } from "./match-cell.ts";

/** The text that the view searches for, folded; empty without one. */
export function searchedText({ rowList }: GridController): string {
  return foldCase((rowList.shownView.search ?? "").trim());
}

/**
 * Whether a cell shows the text that the view searches for, and is marked. As a whole: marks of ranges within a text (CSS Custom Highlight API) end the
 * page in Chromium 156 when rows are drawn anew.
 */
export function isFound(grid: GridController, field: Field, value: Json | undefined): boolean {
  const labelOf = (of: Field, id: string) => grid.labels.labelOf(of, id);
  return cellContains(field, value, searchedText(grid), labelOf);
}

/** The field without a column that contains the searched text, where none of the columns does: why the row is there. */
export function foundInHidden(grid: GridController, record: RecordView): string | null {
  const needle = searchedText(grid);
  if (needle === "" || grid.cards) return null;
  const { fields, columns, labels } = grid;
  const contains = (name: string) => {
    const field = fields.get(name);
    const labelOf = (of: Field, id: string) => labels.labelOf(of, id);
    return field !== undefined && cellContains(field, record.values[name], needle, labelOf);
  };
  if (columns.some(contains)) return null;
  const hidden = [...fields.keys()].filter((name) => !columns.includes(name)).find(contains);
  return hidden === undefined ? null : (fields.get(hidden)?.label ?? null);
}
