import type { Table } from "../../../../shared/model/model.ts";
import type { Grant } from "../../../../shared/policy/role.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import type { Column } from "./columns.ts";
import { accessOf, rowsOf } from "./grant-edits.ts";

/** The limits of a right, short enough for a cell; null if it has none. */
export function limitOf(grant: Grant, column: Column, table: Table): string | null {
  if (!grant.read) return null;
  switch (column) {
    case "read":
      return joinLimits(rowsOf(grant, "read") !== null, hiddenFieldsLabel(grant, table));
    case "update":
      return grant.update
        ? joinLimits(rowsOf(grant, "update") !== null, writableFieldsLabel(grant, table))
        : null;
    case "delete":
      return joinLimits(rowsOf(grant, "delete") !== null, null);
    case "transitions":
      return Array.isArray(grant.transitions)
        ? messages.countOf({
            count: grant.transitions.length,
            total: table.workflow?.transitions.length ?? 0,
          })
        : null;
    default:
      return null;
  }
}

function joinLimits(rows: boolean, fields: string | null): string | null {
  const parts = [rows && messages.someRecords(), fields].filter((one) => typeof one === "string");
  return parts.length > 0 ? parts.join(", ") : null;
}

function hiddenFieldsLabel(grant: Grant, table: Table): string | null {
  const hidden = [...accessOf(grant, table).values()].filter((one) => one === "hidden").length;
  if (hidden === 0) return null;
  return messages.hiddenFields({ count: hidden });
}

function writableFieldsLabel(grant: Grant, table: Table): string | null {
  if (typeof grant.update !== "object" || !grant.update.fields) return null;
  const writes = [...accessOf(grant, table).values()].filter((one) => one === "write").length;
  return messages.fieldCount({ count: writes });
}
