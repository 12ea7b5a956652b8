import type { Filter } from "../filter/filter.ts";
import { renameFields } from "../filter/rename-fields.ts";
import { resolveField } from "../model/former-names.ts";
import type { Grant, GrantTable } from "./role.ts";

/** Grants name tables and fields, and outlive renames: this module resolves the names. */

const resolved = new WeakMap<Grant, WeakMap<object, Grant>>();

/** A grant with the current names of its fields. Resolved once per grant and table. */
export function grantByCurrentNames(
  grant: Grant | undefined,
  table: GrantTable,
): Grant | undefined {
  if (!grant || !table.fields.some(({ formerly }) => formerly)) return grant;
  const byTable = resolved.get(grant) ?? new WeakMap<object, Grant>();
  resolved.set(grant, byTable);
  const known = byTable.get(table) ?? renameInGrant(grant, table);
  byTable.set(table, known);
  return known;
}

function renameInGrant(grant: Grant, table: GrantTable): Grant {
  const nameOf = (name: string) => resolveField(table, name)?.name ?? name;
  return mapGrant(grant, {
    rows: (filter) => renameFields(filter, nameOf),
    writable: (names) => names.map(nameOf),
  });
}

/** How to replace the row filters and the names of writable fields of a grant. */
interface GrantMapping {
  rows: (filter: Filter) => Filter;
  writable: (names: string[]) => string[];
}

/** The grant with its row filters and writable fields replaced; hidden fields are unchanged. */
export function mapGrant(grant: Grant, { rows, writable }: GrantMapping): Grant {
  const { read, update, delete: remove } = grant;
  const mapped = { ...grant };
  if (typeof read === "object") mapped.read = withRows(read, rows);
  if (typeof remove === "object") mapped.delete = withRows(remove, rows);
  if (typeof update === "object") {
    const fields = update.fields && { fields: writable(update.fields) };
    mapped.update = { ...withRows(update, rows), ...fields };
  }
  return mapped;
}

function withRows<Part extends { filter?: Filter }>(part: Part, rows: GrantMapping["rows"]): Part {
  return part.filter ? { ...part, filter: rows(part.filter) } : part;
}
