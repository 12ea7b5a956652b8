import type { Table, Values } from "./model.ts";

/** What a record is called by its own values: that of the display field, if it is a text; null otherwise. */
export function displayText(
  { display }: Pick<Table, "display">,
  values: Readonly<Values> | null | undefined,
): string | null {
  const value = values?.[display];
  return typeof value === "string" && value !== "" ? value : null;
}
