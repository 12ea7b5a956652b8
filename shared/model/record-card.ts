import type { Field, Table } from "./model.ts";

/**
 * What a card says of a record, and in what order, wherever there is one: on a board, in the list of a phone, behind a link, and in the
 * heading of its panel. Each of these places decides how much of it there is space for, and how it is drawn; values are drawn by value-parts.ts.
 * The card follows from the order of columns, so that the cards of every table are sensible without a setting.
 */
export interface RecordCard {
  /** What the record is read by: its display field if that is a text of its own, or else its first text. */
  title: Field | undefined;
  /** The display field, where the title is another one: it is a number that nobody knows by heart. */
  name: Field | undefined;
  /** The other fields, in the order of the columns. */
  fields: readonly Field[];
}

/** The card of a table's records, by the columns that are shown. */
export function recordCard(table: Table, columns: readonly string[] = table.columns): RecordCard {
  const find = (wanted: string) => table.fields.find(({ name }) => name === wanted);
  const display = find(table.display);
  const isNamed = display?.type === "text" && !display.automatic;
  const first = table.columns.find((name) => name !== table.display && isOwnText(find(name)));
  const title = isNamed || first === undefined ? display : find(first);
  const fields = columns
    .flatMap((name) => find(name) ?? [])
    .filter((field) => field !== title && field !== display);
  return { title, name: title === display ? undefined : display, fields };
}

/** What is said beside the name of a record where that is a number: what the record is read by, if that is short. */
export function titleBesideName(table: Table): Field | undefined {
  const { title, name } = recordCard(table);
  return name && title?.type === "text" ? title : undefined;
}

/** Whether users write it as a text: a number that is assigned is none. */
export function isOwnText(field: Field | undefined): boolean {
  return (field?.type === "text" || field?.type === "longText") && !field.automatic;
}
