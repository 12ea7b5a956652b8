import type { Json } from "../../../../shared/filter/filter.ts";
import { attributeText, readAttribute } from "../../ui/attribute-text.ts";

/** One attribute under somebody's hands. */
export interface AttributeRow {
  id: number;
  name: string;
  text: string;
}

type Attributes = Readonly<Record<string, Json>>;

/** The attributes as rows, with an empty one where there is none. */
export function rowsOfAttributes(attributes: Attributes): AttributeRow[] {
  const rows = Object.entries(attributes).map(([name, value], index) => ({
    id: index + 1,
    name,
    text: attributeText(value),
  }));
  return rows.length > 0 ? rows : [{ id: 1, name: "", text: "" }];
}

/** What the rows change: only what reads otherwise than before is sent, `null` takes away. */
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
