import type { Table, Values } from "./model.ts";

/** What a record is called by its own values: that of the display field, if it is a text or a number; null otherwise. */
export function displayText(
  { display }: Pick<Table, "display">,
  values: Readonly<Values> | null | undefined,
): string | null {
  const value = values?.[display];
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}

const RANDOM_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const RANDOM_ID_SHOWN = 8;

/**
 * What a record is called wherever it has to be called something: as its display field says, by its first text, or else by its id, of which
 * a random one is shortened ("incident 3f2a9c1e").
 */
export function recordTitle(
  table: Pick<Table, "display" | "fields" | "recordLabel">,
  id: string,
  values: Readonly<Values> | null | undefined,
): string {
  const typeOf = (wanted: string) => table.fields.find(({ name }) => name === wanted)?.type;
  // The value of a link is an id.
  const display = typeOf(table.display) === "link" ? [] : [table.display];
  const texts = table.fields.filter(({ type }) => type === "text").map(({ name }) => name);
  const named = [...display, ...texts].map((name) => displayText({ display: name }, values));
  return named.find((text) => text !== null) ?? idTitle(table, id);
}

/** Whether it is an id that nobody chose and nobody reads. */
export function isRandomId(id: string): boolean {
  return RANDOM_ID.test(id);
}

/** The name of a record of which the id is all that is known. */
export function idTitle({ recordLabel }: Pick<Table, "recordLabel">, id: string): string {
  return isRandomId(id) ? `${recordLabel} ${id.slice(0, RANDOM_ID_SHOWN)}` : id;
}
