import type { Json } from "../../../../shared/filter/filter.ts";
import { attributeText, readAttribute } from "../../access/attribute-text.ts";

/** One attribute in the form. */
export interface AttributeRow {
  id: number;
  name: string;
  text: string;
}

type Attributes = Readonly<Record<string, Json>>;

/** The attributes as rows; one empty row if there are none. */
export function rowsOfAttributes(attributes: Attributes): AttributeRow[] {
  const rows = Object.entries(attributes).map(([name, value], index) => ({
    id: index + 1,
    name,
    text: attributeText(value),
  }));
  return rows.length > 0 ? rows : [{ id: 1, name: "", text: "" }];
}

/** The attributes that the rows change; `null` removes one. */
export function changeOfAttributes(
  before: Attributes,
  rows: readonly AttributeRow[],
): Record<string, Json> {
  const change: Record<string, Json> = {};
  const named = new Map(
    rows.flatMap(({ name, text }) => (name.trim() ? [[name.trim(), text] as const] : [])),
  );
  for (const name of Object.keys(before)) if (!named.has(name)) change[name] = null;
  for (const [name, text] of named) {
    if (attributeText(before[name]) !== text) change[name] = readAttribute(text);
  }
  return change;
}
