import { describeFilter, type ValueLabelOf } from "../filter/describe.ts";
import type { Filter, Json } from "../filter/filter.ts";
import { resolveField } from "../model/former-names.ts";
import { findField, type Model, type Table } from "../model/model.ts";
import { type Grant, grantOn, type Role } from "./role.ts";
import { isHidden, readableFields } from "./scope.ts";

/** What a role may do on one table, in sentences for users. */
interface GrantDescription {
  /** The table's name; `*` means all others. */
  table: string;
  label: string;
  sentences: string[];
}

/** The labels of links and users, where known. */
export type NameOf = (table: Table, field: string, value: Json) => string | undefined;

const others = { me: "themselves", my: "their own" };

/**
 * What a role may do, table by table, in plain words. Tables without a grant of their own are described
 * together.
 */
export function describeRole(
  { grants }: Pick<Role, "grants">,
  model: Model,
  nameOf: NameOf = () => undefined,
): GrantDescription[] {
  const role: Role = { id: "", name: "", rights: [], grants };
  const general = grants["*"] ?? {};
  const own = model.tables
    .filter((table) => grantOn(role, table) !== general && grantOn(role, table).read)
    .map((table) => ({
      table: table.name,
      label: table.label,
      sentences: describeGrant(grantOn(role, table), table, nameOf),
    }));
  const named = model.tables.some((table) => grantOn(role, table) !== grants["*"]);
  if (!general.read) return own;
  const label = named ? "All other tables" : "All tables";
  return [...own, { table: "*", label, sentences: describeGrant(general, null, nameOf) }];
}

/** What a grant allows on a table, or on all tables alike; one sentence per right. */
export function describeGrant(grant: Grant, table: Table | null, nameOf: NameOf): string[] {
  if (!grant.read) return [];
  const where = (rows: Grant["delete"]) =>
    typeof rows === "object" && rows.filter && table
      ? describeRowFilter(rows.filter, table, nameOf)
      : "";
  return [
    describeRead(grant.read, table, where(grant.read)),
    grant.create && "Adds records.",
    grant.createInAnyState && "Adds them in any state.",
    grant.update && describeUpdate(grant.update, table, where(grant.update)),
    grant.delete && withRows("Deletes records", where(grant.delete)),
    describeTransitions(grant.transitions, table),
    grant.history && "Sees their history.",
    grant.comment && "Comments on records.",
    grant.export && "Exports them as files.",
  ].filter((sentence) => typeof sentence === "string");
}

function describeRowFilter(filter: Filter, table: Table, nameOf: NameOf): string {
  const labelOf = (name: string) =>
    name === "id" ? "the id" : (resolveField(table, name)?.label ?? name);
  const valueLabelOf: ValueLabelOf = (name, value) => {
    const option = findField(table, name)?.options?.find((one) => one.value === value);
    return option?.label ?? nameOf(table, name, value);
  };
  return describeFilter(filter, labelOf, valueLabelOf, others);
}

function withRows(what: string, rows: string): string {
  return rows ? `${what}, where ${rows}.` : `${what}.`;
}

function describeRead(read: NonNullable<Grant["read"]>, table: Table | null, rows: string): string {
  const hide = typeof read === "object" ? (read.hide ?? []) : [];
  const visible = table ? readableFields(table, (field) => !isHidden(field, hide)) : [];
  const hidden = table?.fields.filter(({ name }) => !visible.includes(name)) ?? [];
  const without = hidden.length > 0 ? `, without ${listed(hidden.map(({ label }) => label))}` : "";
  return rows ? `Sees records where ${rows}${without}.` : `Sees all records${without}.`;
}

function describeUpdate(
  update: NonNullable<Grant["update"]>,
  table: Table | null,
  rows: string,
): string {
  const fields = typeof update === "object" ? update.fields : undefined;
  if (!fields) return withRows("Changes records", rows);
  if (fields.length === 0) return "Changes no field.";
  const labels = fields.map((name) => (table && resolveField(table, name)?.label) ?? name);
  return withRows(`Changes ${listed(labels)}`, rows);
}

function describeTransitions(granted: Grant["transitions"], table: Table | null): string | null {
  if (!granted || (table && !table.workflow)) return null;
  if (granted === true) return "Uses every transition.";
  if (granted.length === 0) return null;
  const labelOf = (name: string) =>
    table?.workflow?.transitions.find((one) => one.name === name)?.label ?? name;
  return `Uses the transitions ${listed(granted.map((name) => `“${labelOf(name)}”`))}.`;
}

/** “a, b and c”. */
function listed(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? "";
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
