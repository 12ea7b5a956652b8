import type { Json } from "../../../../../shared/filter/filter.ts";
import { type Field, kindOfType } from "../../../../../shared/model/model.ts";

/** A cell that is copied. */
export interface CopiedCell {
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
  if (field.type !== "duration" && (kind === "integer" || kind === "decimal")) {
    return `<td x:num="${escaped(String(value))}" sdval="${escaped(String(value))}">${shown}</td>`;
  }
  const isText = kind === "text" || kind === "list" || kind === "json";
  return isText ? `<td style="mso-number-format:'\\@'">${shown}</td>` : `<td>${shown}</td>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
}
