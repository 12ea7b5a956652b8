import type { Json } from "../../shared/filter/filter.ts";
import { resolveTable } from "../../shared/model/former-names.ts";
import type { Model } from "../../shared/model/model.ts";
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
  if (event.actor?.id === reader.id) return event;
  const { changed, ...detail } = event.detail;
  const parts = event.kind === "role_changed" && Array.isArray(changed);
  const isNamed = (part: Json) =>
    roleParts.has(String(part)) || readsTable(reader, String(part), model);
  const shownParts = parts ? changed.filter(isNamed) : changed;
  const shown = redactDetail(detail, reader, model);
  return { ...event, detail: shownParts === undefined ? shown : { ...shown, changed: shownParts } };
}

type Detail = SecurityEvent["detail"];

function redactDetail(detail: Detail, reader: Subject, model: Model): Detail {
  const { table: name } = detail;
  if (typeof name !== "string") {
    const { search, field, ...rest } = detail;
    const isWhole = search === undefined && field === undefined;
    return isWhole || readsAll(reader.role) ? detail : rest;
  }
  const table = resolveTable(model, name);
  const scope = table && scopeOf(reader, table);
  if (!scope && (table || !readsRemoved(reader, model))) {
    const { file, view, search, field, fields, record, records, ...rest } = detail;
    return { ...rest, table: null };
  }
  if (!scope || isWhole(scope, table.fields.length)) return detail;
  const { view, search, field, record, records, ...rest } = detail;
  const { fields } = detail;
  if (!Array.isArray(fields)) return rest;
  return { ...rest, fields: fields.filter((one) => scope.fields.includes(String(one))) };
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

const isWhole = ({ filter, fields }: Scope, count: number) =>
  filter === null && fields.length === count;

function readsTable(reader: Subject, name: string, model: Model): boolean {
  const table = resolveTable(model, name);
  return table ? scopeOf(reader, table) !== null : readsRemoved(reader, model);
}
