import { type FieldType, kindOfType } from "../../../../shared/model/field-types.ts";
import type { Field, Table } from "../../../../shared/model/model.ts";
import { recordCard } from "../../../../shared/model/record-card.ts";
import { type ColumnSummary, isMeasurable } from "../../../../shared/model/view/summary-ops.ts";
import { type ViewColumn, viewSettingsSchema } from "../../../../shared/model/view/view.ts";
import { readFromBrowser } from "../../transport/storage/browser-storage.ts";

/** One column as the grid shall show it. Its width is in pixels. */
export interface PlacedColumn {
  field: string;
  hidden: boolean;
  pinned: boolean;
  width: number;
  /** What is computed of the column below the rows. */
  summary: ColumnSummary | null;
}

const HEADER_LETTER_PX = 7;
const HEADER_TOOLS_PX = 86;
/** A long label is cut off rather than taking the screen. */
const HEADER_MAX_PX = 280;
const WIDTH_PX = 160;

const widths: Partial<Record<FieldType, number>> = {
  text: 180,
  longText: 280,
  integer: 110,
  decimal: 120,
  money: 130,
  percent: 100,
  boolean: 100,
  date: 130,
  timestamp: 180,
  select: 160,
  person: 170,
  link: 160,
  email: 200,
};

/**
 * The columns of a table in the arrangement of a view or a user. The model may have changed since: removed columns are
 * dropped, and new ones are added at the end, hidden unless the model shows them. An empty arrangement is the table's own.
 */
export function placeColumns(
  table: Table,
  visible: readonly string[],
  arranged: readonly ViewColumn[],
): PlacedColumn[] {
  const fields = new Map(table.fields.map((field) => [field.name, field]));
  const names = defaultOrder(table).filter((name) => visible.includes(name) && fields.has(name));
  const known = new Map(
    arranged.filter(({ field }) => names.includes(field)).map((column) => [column.field, column]),
  );
  const order = [...known.keys(), ...names.filter((name) => !known.has(name))];
  const first = table.columns[0] ?? table.display;
  // Records that are called by a number are read by their title.
  const { title, name: number } = recordCard(table);
  const pins = number ? [first, title?.name] : [first];
  return order.map((name) => {
    const column = known.get(name);
    return {
      field: name,
      hidden: column ? (column.hidden ?? false) : !table.columns.includes(name),
      pinned: arranged.length > 0 ? (column?.pinned ?? false) : pins.includes(name),
      width: column?.width ?? defaultWidth(fields.get(name) as Field),
      summary: fittingSummary(fields.get(name) as Field, column?.summary),
    };
  });
}

/** The part of an arrangement that a view stores. A field's default width is omitted, so that it follows the model. */
export function arrangementOf(placed: readonly PlacedColumn[], table: Table): ViewColumn[] {
  return placed.map(({ field, hidden, pinned, width, summary }) => {
    const declared = table.fields.find(({ name }) => name === field);
    return {
      field,
      ...(declared && defaultWidth(declared) !== width && { width }),
      ...(pinned && { pinned }),
      ...(hidden && { hidden }),
      ...(summary && { summary }),
    };
  });
}

/** The field's type may have changed since the summary was chosen. */
function fittingSummary({ type }: Field, summary: ColumnSummary | undefined): ColumnSummary | null {
  return summary && isMeasurable(summary, kindOfType[type]) ? summary : null;
}

/** The width of a column that nobody sized, where space is short. Its header is whole. */
export function defaultWidth({ width, type, label }: Field): number {
  return Math.max(width ?? widths[type] ?? WIDTH_PX, headerWidth(label));
}

/** The approximate width of a header's label, with space for its arrow and menu. */
function headerWidth(label: string): number {
  return Math.min(label.length * HEADER_LETTER_PX + HEADER_TOOLS_PX, HEADER_MAX_PX);
}

function defaultOrder(table: Table): string[] {
  const rest = table.fields.map((field) => field.name);
  return [...table.columns, ...rest.filter((name) => !table.columns.includes(name))];
}

/** Where this browser stores a user's own arrangement of a table, or of one of its views. */
export function arrangementKey(user: string, table: string, view: string | undefined): string {
  return `watchfloor.arranged.${user}.${table}.${view ?? ""}`;
}

/** The user's own arrangement, if there is one. */
export function readArrangement(key: string): ViewColumn[] | null {
  return parseArrangement(readFromBrowser(key));
}

/** The shown columns of which something is computed. */
export function summarizedColumns(
  placed: readonly PlacedColumn[],
  fieldOf: (name: string) => Field | undefined,
): { column: Field; op: ColumnSummary }[] {
  return placed.flatMap(({ field, summary, hidden }) => {
    const column = fieldOf(field);
    return summary && column && !hidden ? [{ column, op: summary }] : [];
  });
}

/** Parses a stored arrangement; null if it is invalid, such as from another version or edited by hand. */
export function parseArrangement(text: string | null): ViewColumn[] | null {
  try {
    const read = viewSettingsSchema.shape.columns.safeParse(JSON.parse(text ?? "null"));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
