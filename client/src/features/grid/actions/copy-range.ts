import type { Json } from "../../../../../shared/filter/filter.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { inputText } from "../../../ui/fields/input-text.ts";
import { toastFailure } from "../../../ui/toast.tsx";
import { formatTsv } from "../clipboard/tsv.ts";
import type { GridController } from "../grid-controller.ts";
import { boundsOf } from "../range/cell-range.ts";
import { recordInRow } from "../range/row-map.ts";

/** The clipboard type of exact values, for pasting inside the product. */
export const EXACT_VALUES_TYPE = "application/x-watchfloor-cells+json";

const COPY_MAX_ROWS = 5_000;

/** Exact values with the types of their fields. */
export interface ExactCells {
  types: string[];
  rows: Json[][];
}

/**
 * Copies the range to the clipboard twice: as text for spreadsheets, and as exact values, so that links keep their
 * records and times their microseconds when pasted here. Rows that are not loaded are copied as empty cells.
 */
export function copyRange(grid: GridController, clipboard: DataTransfer): number {
  const { range } = grid.range;
  if (!range) return 0;
  const { top, left, right } = boundsOf(range);
  const bottom = Math.min(boundsOf(range).bottom, top + COPY_MAX_ROWS - 1);
  const fields = grid.columns.slice(left, right + 1).flatMap((name) => grid.fields.get(name) ?? []);
  const texts: string[][] = [];
  let missing = 0;
  const exact: ExactCells = {
    types: fields.map(({ type, target }) => `${type}:${target ?? ""}`),
    rows: [],
  };
  for (let row = top; row <= bottom; row += 1) {
    const record = recordInRow(grid, row);
    const values = record?.values ?? {};
    if (!record) missing += 1;
    texts.push(
      fields.map((field) =>
        inputText(field, values[field.name], (of, id) => grid.labels.labelOf(of, id)),
      ),
    );
    exact.rows.push(fields.map((field) => values[field.name] ?? null));
  }
  if (missing > 0) {
    toastFailure(messages.rowsNotCopied({ count: missing }));
  }
  clipboard.setData("text/plain", formatTsv(texts));
  clipboard.setData(EXACT_VALUES_TYPE, JSON.stringify(exact));
  return texts.length * fields.length;
}
