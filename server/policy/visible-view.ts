import type { Model, Table } from "../../shared/model/model.ts";
import { findTable } from "../../shared/model/model.ts";
import { visibleAppearance } from "../../shared/model/view/appearance.ts";
import {
  type ViewDocument,
  type ViewSettings,
  viewNameSchema,
  viewNeeds,
  viewSettingsSchema,
} from "../../shared/model/view/view.ts";
import { type Subject, scopeOf } from "../../shared/policy/scope.ts";
import type { ViewInfo } from "../../shared/protocol/views.ts";
import { toUserReference } from "../store/users/user-reference.ts";
import type { ViewRow } from "../store/views/views.ts";

/** A view as a user may see it. */
export interface VisibleView {
  info: ViewInfo;
  /** The table, with all its fields. */
  table: Table;
  /** The names of the fields that they may see. */
  fields: readonly string[];
  /** The whole view, including hidden columns. */
  settings: ViewSettings;
}

/**
 * A stored view for its reader; null if they may not see it: another user's personal view, one of a table
 * that they may not read, or one that filters, sorts or groups by a hidden field, whose values it would
 * reveal. Columns and colour rules of hidden fields are left out. Null too if another program has written something unreadable.
 */
export function toVisibleView(row: ViewRow, me: Subject, model: Model): VisibleView | null {
  const table = findTable(model, row.table_name);
  const scope = table && scopeOf(me, table);
  const name = viewNameSchema.safeParse(row.name).data;
  const settings = viewSettingsSchema.safeParse(row.look).data;
  if (!table || !scope || !name || !settings) return null;
  const { fields } = scope;
  const { shared } = row;
  if (!shared && row.owner !== me.id) return null;
  if (!viewNeeds(settings).every((field) => fields.includes(field))) return null;
  const columns = settings.columns.filter(({ field }) => fields.includes(field));
  const isVisible = (field: string) => fields.includes(field);
  const appearance = visibleAppearance(settings.appearance ?? {}, isVisible);
  const info = {
    id: row.id,
    table: table.name,
    name,
    shared,
    owner: toUserReference(row.owner, row.owner_name),
    ...settings,
    grouping: settings.grouping ?? null,
    columns,
    appearance,
    updated: { at: row.updated_at, by: toUserReference(row.updated_by, row.updater) },
    ...(row.order_version > 0 && { orderVersion: row.order_version }),
  };
  return { info, table, fields, settings };
}

/** The changeable properties of a view. */
export function documentOf(view: ViewInfo): ViewDocument {
  const { name, shared, filter, sort, columns, group, grouping = null, appearance = {} } = view;
  return { name, shared, filter, sort, columns, group, grouping, appearance };
}
