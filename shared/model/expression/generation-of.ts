import type { Filter } from "../../filter/filter.ts";
import { renameFields } from "../../filter/rename-fields.ts";
import { type Field, findField, idOfField, kindOfType, type Table } from "../model.ts";
import type { Parsed } from "./expression.ts";
import { expressionOf, namesIn } from "./expression-of.ts";

/**
 * The computation of a field, independent of field names and notation: the column changes only if this
 * changes. Null for a field that users fill.
 */
export function generationOf(field: Field, table: Table): string | null {
  const parsed = expressionOf(field);
  if (!parsed) return null;
  const reads = [...namesIn(parsed)].flatMap((name) => findField(table, name) ?? []);
  const ids = new Map(reads.map((read) => [read.name, idOfField(read)]));
  const kinds = reads.map((read) => [idOfField(read), storedType(read), generationOf(read, table)]);
  const tree = treeOf(parsed, (name) => ids.get(name) ?? name);
  return JSON.stringify([storedType(field), kinds, tree]);
}

function storedType({ type, scale }: Field): string {
  return kindOfType[type] === "decimal" ? `${type} ${scale ?? 2}` : type;
}

/** The tree as JSON, without positions and with the fields' identities. */
function treeOf(parsed: Parsed, identityOf: (name: string) => string): string {
  if ("condition" in parsed) return JSON.stringify(renameFields(parsed.condition, identityOf));
  return JSON.stringify(parsed.value, (key, part) => {
    if (key === "at") return undefined;
    if (key === "when") return renameFields(part as Filter, identityOf);
    return part?.type === "field" ? { type: "field", name: identityOf(part.name) } : part;
  });
}
