import type { Json } from "../../shared/filter/filter.ts";
import { findTable, type Model } from "../../shared/model/model.ts";
import { removedName } from "../../shared/model/removed-names.ts";
import { grantOn, others } from "../../shared/policy/role.ts";
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
    return isWhole || readsAll(reader) ? detail : rest;
  }
  const table = findTable(model, name);
  const scope = table && scopeOf(reader, table);
  if (!scope && (table || !readsRemoved(reader, name))) {
    const { file, view, search, field, fields, record, records, ...rest } = detail;
    return { ...rest, table: null };
  }
  if (!scope || isWhole(scope, table.fields.length)) return detail;
  const { view, search, field, record, records, ...rest } = detail;
  const { fields } = detail;
  if (!Array.isArray(fields)) return rest;
  return { ...rest, fields: fields.filter((one) => scope.fields.includes(String(one))) };
}

const readsAll = ({ role }: Subject) => others(role).read === true;

/**
 * Whether a role read all of a table that is removed, as far as its grants name it. A table's id is its first name, and its
 * grant is named by it once another table has had its name.
 */
const readsRemoved = ({ role }: Subject, name: string) =>
  [name, removedName(name)].every((one) => grantOn(role, { name: one, fields: [] }).read === true);

const isWhole = ({ filter, fields }: Scope, count: number) =>
  filter === null && fields.length === count;

function readsTable(reader: Subject, name: string, model: Model): boolean {
  const table = findTable(model, name);
  return table ? scopeOf(reader, table) !== null : readsRemoved(reader, name);
}
