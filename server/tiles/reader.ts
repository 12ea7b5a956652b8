import type { Filter, FilterContext } from "../../shared/filter/filter.ts";
import type { Field, Model, Table } from "../../shared/model/model.ts";
import { grantOn } from "../../shared/policy/role.ts";
import { readableFields, type Subject, scopeOf } from "../../shared/policy/scope.ts";
import type { Identity } from "../auth/identity.ts";
import type { Wallboard } from "./wallboards/stored-wallboard.ts";

/** The reader of a wallboard: what they may see of a table, and the user that `$me` means. */
export interface Reader {
  kind: "person" | "display";
  me: FilterContext["me"];
  /** The bound row filter and the visible fields; null if the table may not be read. */
  scopeOf(table: Table): { filter: Filter | null; fields: readonly string[] } | null;
  /** Whether earlier changes of the table may be shown. */
  showsHistory(table: Table): boolean;
}

/**
 * The only place that decides what an identity may see through a wallboard (ADR 16).
 * A user sees it in their own scope, as everywhere. A display sees what its wallboards' tiles need, and of that what their publisher
 * could read when they published it, within the rights of the role and the attributes that its owner had when they paired it or took it
 * over (`bound`). The published scope is stored with the version, so it does not grow with the publisher's rights; neither goes blank
 * when somebody leaves; to show less, publish again. Wallboards that are not the display's own, and
 * drafts, do not exist for it (null).
 */
export function readerOf(
  identity: Identity,
  wallboard: Wallboard | null,
  draft: boolean,
): Reader | null {
  if (!identity.display) return userReader(identity.subject);
  if (!wallboard?.published || draft) return null;
  const { boards, showing } = identity.display;
  if (!boards.includes(wallboard.id) && showing !== wallboard.id) return null;
  const { scopes } = wallboard.published;
  const { bound } = identity;
  return {
    kind: "display",
    me: null,
    scopeOf(table) {
      const scope = Object.hasOwn(scopes, table.name) ? scopes[table.name] : undefined;
      const own = bound && scopeOf(bound, table);
      if (!scope || own === null) return null;
      const isShown = ({ name }: Field) =>
        scope.fields.includes(name) && (own === undefined || own.fields.includes(name));
      const filters = [scope.filter, own?.filter].filter((filter) => filter != null);
      const [filter = null] = filters;
      const both = filters.length > 1 ? { and: filters } : filter;
      return { filter: both, fields: readableFields(table, isShown) };
    },
    // Only users who may read the history can publish a tile that shows it.
    showsHistory: (table) => !bound || (grantOn(bound.role, table).history ?? false),
  };
}

/** A user reads wallboards in their own scope. */
export function userReader(subject: Subject): Reader {
  const me = { id: subject.id, attributes: subject.attributes };
  return {
    kind: "person",
    me,
    scopeOf: (table) => scopeOf(subject, table),
    showsHistory: (table) => grantOn(subject.role, table).history ?? false,
  };
}

/** The model as a reader may see it, as far as tiles are checked by it. */
export function modelOf(reader: Reader, model: Model): Model {
  const tables = model.tables.flatMap((table) => {
    const scope = reader.scopeOf(table);
    if (!scope) return [];
    const fields = table.fields.filter(({ name }) => scope.fields.includes(name));
    return [{ ...table, fields }];
  });
  return { ...model, tables };
}
