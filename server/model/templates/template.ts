import type { FieldType } from "../../../shared/model/field-types.ts";
import type { Field, Table } from "../../../shared/model/model.ts";
import type { ViewDocument, ViewSettings } from "../../../shared/model/view/view.ts";
import type { Tile } from "../../../shared/model/wallboard/tile.ts";
import type { WallboardDocument } from "../../../shared/model/wallboard/wallboard.ts";

/** A template's shared view, under an id that links can name. */
export interface TemplateView extends Omit<ViewDocument, "shared"> {
  id: string;
  table: string;
}

/**
 * A template's wallboard, under an id that links and the demo can name. The set-up chooses where its days
 * begin.
 */
export interface TemplateWallboard {
  id: string;
  document: Omit<WallboardDocument, "zone">;
}

/** A view with the table's columns, unless it says which. */
export function view(
  table: string,
  id: string,
  name: string,
  settings: Pick<ViewSettings, "filter" | "sort"> & Partial<ViewSettings>,
): TemplateView {
  return { id, table, name, columns: [], group: null, ...settings };
}

/** A field, whose column is so wide. */
export function field(
  name: string,
  label: string,
  type: FieldType,
  width: number,
  more: Partial<Field> = {},
): Field {
  return { name, label, type, width, ...more };
}

/** A table that shows all its fields, and names and sorts its records by `name`, unless it says otherwise. */
export function table(
  name: string,
  label: string,
  recordLabel: string,
  fields: Field[],
  more: Partial<Table> = {},
): Table {
  const columns = fields.map((one) => one.name);
  return { name, label, recordLabel, display: "name", fields, columns, sort: ["name"], ...more };
}

type WithoutPlace<Kind> = Kind extends Tile ? Omit<Kind, "id" | "title" | "layout"> : never;

/** A tile at a place of the grid: its column and row, and how many of each it takes. */
export function tile(
  id: string,
  title: string | null,
  [x, y, w, h]: readonly [number, number, number, number],
  rest: WithoutPlace<Tile>,
): Tile {
  return { id, ...(title !== null && { title }), layout: { x, y, w, h }, ...rest };
}
