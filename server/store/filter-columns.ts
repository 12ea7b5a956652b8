import { ENTRY_FIELD, ID_FIELD } from "../../shared/filter/value-kinds.ts";
import { kindOfType } from "../../shared/model/field-types.ts";
import type { Table } from "../../shared/model/model.ts";
import type { ColumnOf } from "./filter-sql.ts";
import { columnRef, entryRef, idRef } from "./identifiers.ts";

/**
 * The columns that filters and orders may name on row `alias` of a table: all fields, or the visible ones
 * only. The number of the order of entry is named by the server alone: `checkFilter` and `checkSort` know no such field.
 */
export function filterColumns(table: Table, alias: string, visible?: readonly string[]): ColumnOf {
  const columns = new Map(
    table.fields
      .filter((field) => !visible || visible.includes(field.name))
      .map((field) => [field.name, field]),
  );
  return (name) => {
    if (name === ID_FIELD) {
      return { expression: idRef(alias), kind: "text" };
    }
    if (name === ENTRY_FIELD) return { expression: entryRef(alias), kind: "integer" };
    const field = columns.get(name);
    if (!field) return undefined;
    const expression = columnRef(field, alias);
    return { expression, kind: kindOfType[field.type], hasSortIndex: field.indexed === true };
  };
}
