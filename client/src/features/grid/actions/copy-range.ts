import type { Json } from "../../../../../shared/filter/filter.ts";
import { isReference, kindOfType } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { isNumberType } from "../../../records/fields/number-text.ts";
import { announce } from "../../../ui/announce.ts";
import { toast, toastFailure } from "../../../ui/toast.tsx";
import { EXACT_VALUES_TYPE, type ExactCells } from "../clipboard/clipboard-cells.ts";
import { exactType } from "../clipboard/exact-value.ts";
import { setLastCopy } from "../clipboard/last-copy.ts";
import { formatTsv } from "../clipboard/tsv.ts";
import type { GridController } from "../grid-controller.ts";
import type { RangePart } from "../range/range-part.ts";
import { recordsOf } from "../range/read-parts.ts";
import type { CellValue } from "./edit-cells.ts";
import { cellsOf, clearCells, withParts } from "./range-actions.ts";
import { copiedValue } from "./write-pasted.ts";

/** What goes to the clipboard, by type, and the cells that it was taken from. */
interface Copy {
  data: [type: string, text: string][];
  cells: Omit<CellValue, "value">[];
}

/**
 * Copies or cuts the range in a clipboard event. Cutting clears exactly the cells that were copied, and only once they are
 * on the clipboard. Rows that are not read are read first; the clipboard is then written without the event.
 */
export function copyOrCut(grid: GridController, event: ClipboardEvent): void {
  const { parts } = grid.range;
  event.preventDefault();
  const isCut = event.type === "cut";
  if (parts.some(({ unread }) => unread > 0) || unreadLabels(grid, parts).size > 0) {
    void withParts(grid, parts, () => copyLater(grid, parts, isCut));
    return;
  }
  const copy = copyOf(grid, parts);
  if (!copy || !event.clipboardData) return;
  for (const [type, text] of copy.data) event.clipboardData.setData(type, text);
  setLastCopy(grid.core, copy.data);
  announce(messages.copied({ count: copy.cells.length }));
  if (isCut) clearCells(grid, copy.cells);
}

/** Copies or cuts the range without an event, as from a menu. */
export async function copyRange(grid: GridController, isCut: boolean): Promise<void> {
  const { parts } = grid.range;
  await withParts(grid, parts, () => copyLater(grid, parts, isCut));
}

/** The linked records and users in parts whose labels are not loaded, by field. */
function unreadLabels(grid: GridController, parts: readonly RangePart[]): Map<Field, string[]> {
  const ids = new Map<Field, string[]>();
  for (const { record, field: name } of cellsOf(grid, parts)) {
    const field = grid.fields.get(name);
    const id = record.values[name];
    if (!field || !isReference(field.type) || typeof id !== "string") continue;
    if (grid.labels.isCached(field, id)) continue;
    const known = ids.get(field);
    if (known) known.push(id);
    else ids.set(field, [id]);
  }
  return ids;
}

/** Copies rows that had to be read. Where the browser refuses by then, they can be copied now. */
async function copyLater(
  grid: GridController,
  parts: readonly RangePart[],
  isCut: boolean,
): Promise<void> {
  for (const [field, ids] of unreadLabels(grid, parts)) await grid.labels.load(field, ids);
  const copy = copyOf(grid, parts);
  if (!copy) return;
  try {
    const blobs = copy.data
      .filter(([type]) => type !== EXACT_VALUES_TYPE)
      .map(([type, text]) => [type, new Blob([text], { type })] as const);
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
  } catch {
    toast(messages.copyAgain());
    return;
  }
  setLastCopy(grid.core, copy.data);
  toast(messages.copied({ count: copy.cells.length }));
  if (isCut) clearCells(grid, copy.cells);
}

/**
 * The range as tab-separated text, as an HTML table, and as exact values, so that links keep their records and times
 * their microseconds when pasted here.
 */
function copyOf(grid: GridController, parts: readonly RangePart[]): Copy | null {
  const blocks = parts.map((part) => blockOf(grid, part));
  const rows = joined(blocks);
  if (rows === null) toastFailure(messages.rangesDiffer());
  const [first] = rows ?? [];
  if (!rows || !first) return null;
  const exact: ExactCells = {
    types: first.map(({ field }) => exactType(field)),
    rows: rows.map((row) => row.map(({ value }) => value)),
  };
  return {
    data: [
      ["text/plain", formatTsv(rows.map((row) => row.map(({ text }) => text)))],
      ["text/html", formatHtml(rows)],
      [EXACT_VALUES_TYPE, JSON.stringify(exact)],
    ],
    cells: cellsOf(grid, parts),
  };
}

function blockOf(grid: GridController, part: RangePart) {
  const fields = part.fields.flatMap((name) => grid.fields.get(name) ?? []);
  const rows = recordsOf(grid, part).map((record) =>
    fields.map((field): CopiedCell => {
      const value = record.values[field.name] ?? null;
      return { field, value, text: copiedValue(grid, field, value).cell.text };
    }),
  );
  return { fields: part.fields.join(), records: part.records.join(), rows };
}

/** Several parts as one: one below the other if they have the same columns, or side by side if the same rows. */
function joined(blocks: readonly ReturnType<typeof blockOf>[]): CopiedCell[][] | null {
  const [first] = blocks;
  if (!first) return [];
  if (blocks.every(({ fields }) => fields === first.fields))
    return blocks.flatMap(({ rows }) => rows);
  if (!blocks.every(({ records }) => records === first.records)) return null;
  return first.rows.map((_, at) => blocks.flatMap(({ rows }) => rows[at] ?? []));
}

/** A cell that is copied. */
interface CopiedCell {
  field: Field;
  value: Json;
  text: string;
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * The HTML that spreadsheets paste: numbers with all their digits whatever the locale, and texts as texts, so that
 * `00123` or `1-2` do not become something else.
 */
export function formatHtml(rows: readonly (readonly CopiedCell[])[]): string {
  const lines = rows.map((row) => `<tr>${row.map(cellHtml).join("")}</tr>`);
  const office = 'xmlns:x="urn:schemas-microsoft-com:office:excel"';
  return `<html ${office}><body><table>${lines.join("\n")}</table></body></html>`;
}

function cellHtml({ field, value, text }: CopiedCell): string {
  const kind = kindOfType[field.type];
  const shown = escaped(text).replaceAll("\n", '<br style="mso-data-placement:same-cell">');
  if (value === null) return "<td></td>";
  if (isNumberType(field.type)) {
    return `<td x:num="${escaped(String(value))}" sdval="${escaped(String(value))}">${shown}</td>`;
  }
  const isText = kind === "text" || kind === "list" || kind === "json";
  return isText ? `<td style="mso-number-format:'\\@'">${shown}</td>` : `<td>${shown}</td>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
}
