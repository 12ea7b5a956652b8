import type { Field, Table } from "../../../../../shared/model/model.ts";
import { cardFields } from "../../../records/fields/card-fields.ts";
import type { PlacedColumn } from "../../../records/views/column-layout.ts";

/** The fields that the cards of a phone show, in this order. */
export interface CardLayout {
  /** What a record is read by: its first text, or else its display field. */
  title: Field | undefined;
  /** The display field, if the title is another one. */
  name: Field | undefined;
  fields: readonly Field[];
}

/** All fields of a layout, in the order in which a card shows them. */
export function layoutFields({ title, name, fields }: CardLayout): Field[] {
  return [title, name, ...fields].flatMap((field) => field ?? []);
}

const FIELDS_SHOWN = 4;

/** Chooses the fields of a card: the title, and the first columns of the view. */
export function cardLayout(table: Table, placed: readonly PlacedColumn[]): CardLayout {
  const shown = placed.filter(({ hidden }) => !hidden).map(({ field }) => field);
  const visible = placed.map(({ field }) => field);
  const { display, text } = cardFields(table, visible, "");
  const title = display?.type === "text" && !display.automatic ? display : (text ?? display);
  const fields = shown
    .filter((name) => name !== title?.name && name !== display?.name)
    .flatMap((name) => table.fields.find((field) => field.name === name) ?? []);
  return {
    title,
    name: title === display ? undefined : display,
    fields: fields.slice(0, FIELDS_SHOWN),
  };
}
