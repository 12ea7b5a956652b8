import type { Json } from "../../shared/filter/filter.ts";
import { resolveTable } from "../../shared/model/former-names.ts";
import { idOfTable, type Model, type Table } from "../../shared/model/model.ts";
import type { Role } from "../../shared/policy/role.ts";
import { type Scope, type Subject, scopeOf } from "../../shared/policy/scope.ts";
import type { SecurityEvent } from "../../shared/protocol/security-events.ts";

/** Parts of a role that are not the name of a table. */
const roleParts = new Set(["name", "rights", "grants", "*"]);

/**
 * A security event without what its reader's role hides: the names of tables and fields, and the ids, filters and searched
 * texts that may concern hidden records. A table is then null. What a reader did is shown to them whole.
 */
export function redactEvent(event: SecurityEvent, reader: Subject, model: Model): SecurityEvent {
  const { tableId, ...whole } = event.detail;
  if (event.actor?.id === reader.id) return { ...event, detail: whole };
  const { changed, ...detail } = whole;
  const parts = event.kind === "role_changed" && Array.isArray(changed);
  const isNamed = (part: Json) =>
    roleParts.has(String(part)) || readsTable(reader, String(part), model);
  const shownParts = parts ? changed.filter(isNamed) : changed;
  const shown = redactDetail(detail, tableId, reader, model);
  return { ...event, detail: shownParts === undefined ? shown : { ...shown, changed: shownParts } };
}

type Detail = SecurityEvent["detail"];

function redactDetail(detail: Detail, tableId: Json | undefined, reader: Subject, model: Model) {
  const { table: name } = detail;
  if (typeof name !== "string") {
    const { search, field, ...rest } = detail;
    const isWhole = search === undefined && field === undefined;
    return isWhole || readsAll(reader.role) ? detail : rest;
  }
  const id = typeof tableId === "string" ? tableId : null;
  const tables = tablesOf(model, name, id);
  const scopes = tables.flatMap((table) => scopeOf(reader, table) ?? []);
  if (scopes.length < tables.length || (tables.length === 0 && !readsRemoved(reader, model))) {
    const { file, view, search, field, fields, record, records, ...rest } = detail;
    return { ...rest, table: null };
  }
  if (scopes.every((scope, index) => isWhole(scope, tables[index]))) return detail;
  const { view, search, field, record, records, ...rest } = detail;
  const { fields } = detail;
  if (!Array.isArray(fields)) return rest;
  const isShown = (one: Json) => scopes.every((scope) => scope.fields.includes(String(one)));
  return { ...rest, fields: fields.filter(isShown) };
}

/** The table of an event; without its id, as in backups of builds before the first release, all that the name may mean. A table's id is its first name. */
function tablesOf({ tables }: Model, name: string, id: string | null): Table[] {
  if (id !== null) return tables.filter((table) => idOfTable(table) === id);
  return tables.filter((table) =>
    [table.name, idOfTable(table), ...(table.formerly ?? [])].includes(name),
  );
}

/** Whether a role reads all of every table, or of those whose grants are meant, by the name of a grant. */
function readsAll({ grants, within }: Role, isMeant = (_name: string) => true): boolean {
  const meant = ["*", ...Object.keys(grants).filter(isMeant)];
  const own = meant.every((name) => grants[name]?.read === true);
  return own && (!within || readsAll(within, isMeant));
}

/**
 * Whether a reader sees all of every removed table. An event names a table as it was called then, and a grant may name it in
 * another way: any grant on a removed table may be on this one.
 */
const readsRemoved = ({ role }: Subject, model: Model) =>
  readsAll(role, (name) => !resolveTable(model, name));

const isWhole = ({ filter, fields }: Scope, table: Table | undefined) =>
  filter === null && fields.length === table?.fields.length;

function readsTable(reader: Subject, name: string, model: Model): boolean {
  const table = resolveTable(model, name);
  return table ? scopeOf(reader, table) !== null : readsRemoved(reader, model);
}
