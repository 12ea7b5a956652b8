import { randomUUID } from "node:crypto";
import {
  findTable,
  idOfField,
  idOfTable,
  type Model,
  type Table,
} from "../../shared/model/model.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import { found, Refusal } from "../../shared/protocol/errors.ts";
import { WATCHES_MAX, type WatchCall, type WatchInfo } from "../../shared/protocol/inbox.ts";
import type { Identity } from "../auth/identity.ts";
import { readRecord } from "../commands/read-record.ts";
import { byModel } from "../comments/comment-access.ts";
import { readableTable, requireKnownFields } from "../policy/authorize.ts";
import { toVisibleView } from "../policy/visible-view.ts";
import { deleteWatch, listWatches, putWatch, type WatchRow } from "../store/inbox.ts";
import { findView } from "../store/views/views.ts";
import type { Notifications } from "./create-notifications.ts";

/** Watches of records and views that the caller may read now. What they learn of is decided by what they may read then. */

export async function addWatch(
  { comments, database }: Notifications,
  me: Identity,
  call: WatchCall,
): Promise<{ id: string }> {
  const { table: name, fields } = call;
  const [record, view] = [call.record ?? null, call.view ?? null];
  return byModel(comments, me, async () => {
    const model = comments.model();
    const { table, scope } = readableTable(me.subject, model, name);
    if (fields) requireKnownFields(scope, fields);
    if (record !== null) await readRecord(comments, me.subject, name, record);
    if (view !== null) {
      const row = await findView(database.kysely, view);
      const visible = found(row && toVisibleView(row, me.subject, model));
      if (visible.table.name !== name) throw new Refusal("not_found");
    }
    const all = await listWatches(database.kysely, me.subject.id);
    const table_id = idOfTable(table);
    const isKnown = all.some((one) =>
      view === null ? one.table_id === table_id && one.record === record : one.view === view,
    );
    if (!isKnown && all.length >= WATCHES_MAX) {
      throw new Refusal("too_large", { limit: WATCHES_MAX, size: all.length + 1 });
    }
    const ids = fields ? idsOf(table, fields) : null;
    const watch = { id: randomUUID(), user_id: me.subject.id, table_id, record, view, fields: ids };
    return { id: await putWatch(database.kysely, watch) };
  });
}

const idsOf = (table: Table, names: readonly string[]): string[] =>
  table.fields.filter(({ name }) => names.includes(name)).map(idOfField);

/** Those whose table the caller may still read. */
export async function myWatches(
  { comments, database }: Notifications,
  me: Identity,
): Promise<WatchInfo[]> {
  return byModel(comments, me, async () => {
    const rows = await listWatches(database.kysely, me.subject.id);
    return rows.flatMap((row) => toInfo(row, me, comments.model()) ?? []);
  });
}

function toInfo(
  { id, table_id, record, view, fields, created_at }: WatchRow,
  { subject }: Identity,
  model: Model,
): WatchInfo | null {
  const table = tableById(model, table_id);
  const scope = table && scopeOf(subject, table);
  if (!table || !scope) return null;
  const visible = table.fields.filter(({ name }) => scope.fields.includes(name));
  const names = fields && visible.filter((one) => fields.includes(idOfField(one)));
  return {
    ...{ id, table: table.name, record, view, at: created_at },
    fields: names?.map(({ name }) => name) ?? null,
  };
}

/** The table of an id. */
export function tableById(model: Model, id: string): Table | undefined {
  return model.tables.find((one) => idOfTable(one) === id);
}

export async function removeWatch(
  { database }: Notifications,
  me: Identity,
  id: string,
): Promise<void> {
  if (!(await deleteWatch(database.kysely, me.subject.id, id))) throw new Refusal("not_found");
}

/** The id of a table that the caller may read. */
export function idOfReadable(
  { model }: Pick<Notifications, "model">,
  { subject }: Identity,
  name: string,
): string {
  readableTable(subject, model(), name);
  return idOfTable(found(findTable(model(), name)));
}
