import { recordTitle } from "../../shared/model/display-text.ts";
import { isReference, traitsOf } from "../../shared/model/field-types.ts";
import { findField, idOfField, type Table, type Values } from "../../shared/model/model.ts";
import { valuesOf } from "../../shared/model/pick-values.ts";
import { grantOn } from "../../shared/policy/role.ts";
import { type Scope, type Subject, scopeOf } from "../../shared/policy/scope.ts";
import type { CommentInfo } from "../../shared/protocol/comments.ts";
import {
  INBOX_COUNT_MAX,
  type InboxCount,
  type InboxItem,
  type ReadInboxCall,
} from "../../shared/protocol/inbox.ts";
import { splitMentions } from "../../shared/protocol/mentions.ts";
import type { Author } from "../../shared/protocol/record.ts";
import type { Identity } from "../auth/identity.ts";
import { readableNow } from "../commands/read-activity.ts";
import { byModel } from "../comments/comment-access.ts";
import { commentsById } from "../comments/visible-comments.ts";
import { compileScopeOf } from "../policy/compiled-scope.ts";
import { projectChange } from "../policy/project-change.ts";
import { toVisibleView, type VisibleView } from "../policy/visible-view.ts";
import { readDocuments } from "../store/activity.ts";
import { authorOf } from "../store/author.ts";
import { readDeletions } from "../store/change-history.ts";
import { titlesOfOwn } from "../store/change-sets/change-sets.ts";
import { readChangeAt } from "../store/feed-log.ts";
import {
  type EntryRow,
  entriesOfMail,
  listEntries,
  markEntriesRead,
  namesOfAuthors,
  readSettings,
} from "../store/inbox.ts";
import type { EntryPart } from "../store/platform-tables.ts";
import { listViews } from "../store/views/views.ts";
import type { Notifications } from "./create-notifications.ts";
import { shortened } from "./mail-texts.ts";
import { idOfReadable, tableById } from "./watches.ts";

/**
 * What an inbox shows, and its mails. Entries hold references: each time they are read, what they refer to is read by the rights of that
 * moment, so that a right that was taken away leaves no text, no count and no mail behind. An entry is shown if its record can be read now
 * (or, with the grant `history`, as it was when it was deleted), and something of what was folded into it: one of its fields, its view or
 * its comment. Only of that it says who did it, when, and how often.
 */

const WINDOW_ENTRIES = 200;

export async function readInbox(
  notifications: Notifications,
  me: Identity,
  { unread, limit }: { unread?: "1" | undefined; limit: number },
): Promise<{ items: InboxItem[]; total: InboxCount; unread: InboxCount }> {
  const { comments } = notifications;
  return byModel(comments, me, async () => {
    const { id } = me.subject;
    const settings = (await readSettings(comments.database.kysely, [id]))(id);
    const shown: VisibleEntry[] = [];
    let [total, unreadCount] = [0, 0];
    for (let before: EntryRow | null = null; ; ) {
      const window = { before, limit: WINDOW_ENTRIES, unread: unread === "1" };
      const rows: EntryRow[] = await listEntries(comments.database.kysely, id, window);
      const wanted = rows.filter(({ cause }) => settings[cause]?.inbox);
      for (const entry of await visibleEntries(notifications, me.subject, wanted)) {
        total += 1;
        if (entry.row.read_at === null) unreadCount += 1;
        if (shown.length < limit) shown.push(entry);
      }
      before = rows.at(-1) ?? null;
      const isCounted = total > INBOX_COUNT_MAX && unreadCount > INBOX_COUNT_MAX;
      if (rows.length < WINDOW_ENTRIES || (isCounted && shown.length === limit)) break;
    }
    shown.sort((a, b) => Date.parse(b.part.at) - Date.parse(a.part.at));
    const items = await describeEntries(notifications, me.subject, shown);
    return { items, total: countTo(total), unread: countTo(unreadCount) };
  });
}

const countTo = (count: number): InboxCount => (count > INBOX_COUNT_MAX ? "99+" : count);

export async function markInboxRead(
  notifications: Notifications,
  me: Identity,
  call: ReadInboxCall,
): Promise<void> {
  const which =
    "table" in call
      ? { table: idOfReadable(notifications, me, call.table), record: call.record }
      : call;
  await markEntriesRead(notifications.database.kysely, me.subject.id, which);
}

/**
 * What a mail says, to a user with the rights of now, of what they still want by mail: it may have waited for a mail server for days. `rows`:
 * the entries as they were read for it.
 */
export async function itemsOfMail(
  notifications: Notifications,
  me: Identity,
  delivery: string,
): Promise<{ items: InboxItem[]; rows: EntryRow[] }> {
  const { comments } = notifications;
  return byModel(comments, me, async () => {
    const { kysely } = comments.database;
    const { id } = me.subject;
    const settings = (await readSettings(kysely, [id]))(id);
    const rows = await entriesOfMail(kysely, id, delivery);
    const wanted = rows.filter(({ cause }) => settings[cause].mail !== "off");
    const visible = await visibleEntries(notifications, me.subject, wanted);
    return { items: await describeEntries(notifications, me.subject, visible), rows };
  });
}

/** An entry that may be shown, by the newest part of it that may, with what that needed. */
interface VisibleEntry {
  row: EntryRow;
  part: EntryPart;
  /** Of all parts that may be shown. */
  count: number;
  /** Null: it is about a change set. */
  at: { table: Table; scope: Scope } | null;
  comment?: CommentInfo | undefined;
  view?: VisibleView | undefined;
  /** Of the change set. */
  title?: string;
}

/** Of these entries those that the user may be shown now. */
async function visibleEntries(
  { comments }: Notifications,
  subject: Subject,
  rows: readonly EntryRow[],
): Promise<VisibleEntry[]> {
  const model = comments.model();
  const readable = new Map<string, ReadonlySet<string>>();
  const scopes = new Map<string, { table: Table; scope: Scope }>();
  for (const [id, own] of Map.groupBy(rows, ({ table_id }) => table_id)) {
    const table = id === "" ? undefined : tableById(model, id);
    const scope = table && scopeOf(subject, table);
    if (!table || !scope) continue;
    const records = [...new Set(own.map(({ record }) => record))];
    const withDeleted = grantOn(subject.role, table).history === true;
    scopes.set(id, { table, scope });
    readable.set(id, await readableNow(comments, { table, scope }, records, withDeleted));
  }
  const mentions = await commentsById(
    comments,
    subject,
    rows.flatMap(({ parts }) => parts.flatMap(({ comment }) => comment ?? [])),
  );
  const views = new Map<string, VisibleView>();
  if (rows.some(({ parts }) => parts.some(({ view }) => view))) {
    for (const row of await listViews(comments.database.kysely, subject.id)) {
      const view = toVisibleView(row, subject, model);
      if (view) views.set(row.id, view);
    }
  }
  const sets = rows.flatMap(({ cause, record }) => (cause === "changeSet" ? [record] : []));
  const titles = await titlesOfOwn(comments.database.kysely, `user:${subject.id}`, sets);
  const isShown = ({ cause }: EntryRow, part: EntryPart, at: { table: Table; scope: Scope }) => {
    if (part.fields && !part.fields.some((id) => showsField(at, id))) return false;
    if (part.view && !views.has(part.view)) return false;
    if (cause !== "mention") return true;
    return mentions.get(part.comment ?? "")?.mentions.some(({ id }) => id === subject.id) === true;
  };
  return rows.flatMap((row): VisibleEntry[] => {
    const at = scopes.get(row.table_id) ?? null;
    const title = titles.get(row.record);
    const isReadable =
      row.cause === "changeSet"
        ? title !== undefined
        : at !== null && readable.get(row.table_id)?.has(row.record);
    if (!isReadable) return [];
    const parts = at ? row.parts.filter((part) => isShown(row, part, at)) : row.parts;
    const [part] = parts;
    if (!part) return [];
    const count = Math.max(
      1,
      parts.reduce((all, one) => all + one.count, 0),
    );
    const [comment, view] = [mentions.get(part.comment ?? ""), views.get(part.view ?? "")];
    return [{ row, part, count, at, comment, view, ...(title !== undefined && { title }) }];
  });
}

const showsField = ({ table, scope }: { table: Table; scope: Scope }, id: string) =>
  table.fields.some((field) => idOfField(field) === id && scope.fields.includes(field.name));

/** The texts of entries, in their order. */
async function describeEntries(
  notifications: Notifications,
  subject: Subject,
  entries: readonly VisibleEntry[],
): Promise<InboxItem[]> {
  const titles = new Map<string, Map<string, string>>();
  for (const [id, own] of Map.groupBy(entries, ({ row }) => row.table_id)) {
    const at = own[0]?.at;
    const records = [...new Set(own.map(({ row }) => row.record))];
    if (at) titles.set(id, await titlesOf(notifications, at, records));
  }
  const authors = await namesOfAuthors(
    notifications.comments.database.kysely,
    entries.flatMap(({ part }) => part.by ?? []),
  );
  return Promise.all(
    entries.map(async (entry): Promise<InboxItem> => {
      const { row, part, at } = entry;
      const name = titles.get(row.table_id)?.get(row.record) ?? row.record;
      const by = part.by === undefined ? null : authorOf(part.by, authors.get(part.by) ?? null);
      return {
        id: String(row.n),
        cause: row.cause,
        table: at?.table.name ?? null,
        record: row.record,
        text: inOneLine(await textOf(notifications, subject, entry, { name, who: nameOf(by) })),
        ...{ by, at: new Date(part.at).toISOString(), read: row.read_at !== null },
      };
    }),
  );
}

/** What records are called, by what may be read of them. */
async function titlesOf(
  { comments: { database } }: Notifications,
  { table, scope }: { table: Table; scope: Scope },
  records: readonly string[],
): Promise<Map<string, string>> {
  const known = await readDocuments(database, table, records, scope.filter);
  const gone = records.filter((record) => !known.has(record));
  for (const deletion of await readDeletions(database.pool, table.name, gone)) {
    if (deletion?.before) known.set(deletion.record, deletion.before);
  }
  return new Map(
    records.map((record) => {
      const values = valuesOf(known.get(record) ?? {}, scope.fields);
      return [record, titleOf(table, record, values)];
    }),
  );
}

/** A number that was assigned is known by heart by nobody: the first text of the record is added to it. */
function titleOf(table: Table, record: string, values: Values): string {
  const title = recordTitle(table, record, values);
  const isOwnText = (name: string) => {
    const field = findField(table, name);
    return (field?.type === "text" || field?.type === "longText") && !field.automatic;
  };
  const first = table.columns.find((name) => name !== table.display && isOwnText(name));
  const text = isOwnText(table.display) || first === undefined ? null : values[first];
  return typeof text === "string" ? `${title} ${shortened(text, TITLE_MAX_CHARACTERS)}` : title;
}

const nameOf = (by: Author | null): string | null =>
  by && (by.kind === "external" ? "Another program" : by.name);

const BREAKS = /[\s\p{Cc}]+/gu;
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Values of others may hold line ends, and marks that turn the order of what follows: neither may forge a line of a mail. */
const inOneLine = (text: string) => text.replace(DIRECTIONS, "").replace(BREAKS, " ").trim();

const EXCERPT_MAX_CHARACTERS = 160;
const TITLE_MAX_CHARACTERS = 80;

async function textOf(
  notifications: Notifications,
  subject: Subject,
  { row, part, count, at, comment, view, title }: VisibleEntry,
  { name, who }: { name: string; who: string | null },
): Promise<string> {
  const more = count > 1 ? ` (and ${count - 1} more)` : "";
  const author = who ?? "Somebody";
  if (row.cause === "changeSet") {
    const named = title ? `Your change set “${title}”` : "Your change set";
    return `${named} was ${part.event === "applied" ? "applied" : "cancelled"}.`;
  }
  if (row.cause === "mention" && comment) {
    return `${author} mentioned you on ${name}: ${plainText(comment)}${more}`;
  }
  if (row.cause === "assignment") return `${author} assigned ${name} to you${more}.`;
  const through = who === null ? "" : `, changed by ${who}`;
  if (part.event === "entered" && view)
    return `${name} entered “${view.info.name}”${through}${more}.`;
  if (part.event === "left" && view) return `${name} left “${view.info.name}”${through}${more}.`;
  if (part.event === "created") return `${author} created ${name}${more}.`;
  if (part.event === "deleted") return `${author} deleted ${name}${more}.`;
  const changes = at
    ? await changesOf(notifications, subject, at.table, { record: row.record, ...part })
    : "";
  return `${author} changed ${name}${changes ? `: ${changes}` : ""}${more}.`;
}

function plainText({ text, mentions }: CommentInfo): string {
  const names = new Map(mentions.map(({ id, name }) => [id, name]));
  const plain = splitMentions(text)
    .map((part) => ("text" in part ? part.text : `@${names.get(part.user) ?? "…"}`))
    .join("");
  return shortened(inOneLine(plain), EXCERPT_MAX_CHARACTERS);
}

const CHANGES_SHOWN = 4;
const VALUE_MAX_CHARACTERS = 60;

/**
 * What the last change of an entry did, as its reader may see it now: empty if the log does not hold it any more. Values may be past ones,
 * which are for readers of the history; others see which fields changed.
 */
async function changesOf(
  { comments: { database } }: Notifications,
  subject: Subject,
  table: Table,
  { seq, record, fields }: EntryPart & { record: string },
): Promise<string> {
  const scope = compileScopeOf(subject, table);
  const change = await readChangeAt(database, table.name, { seq: seq ?? null, record });
  const projected = scope && change && projectChange(change, scope);
  if (!change || !projected || projected.kind !== "update") return "";
  const named = Object.keys(projected.set).flatMap((name) => {
    const field = findField(table, name);
    return field && (!fields || fields.includes(idOfField(field))) ? [field] : [];
  });
  const isHistoryReader = grantOn(subject.role, table).history === true;
  const texts = named.slice(0, CHANGES_SHOWN).map((field) => {
    if (!isHistoryReader) return field.label;
    const values = [change.before, projected.set].map((image) => valueText(image, field));
    return values.every((value) => value !== null)
      ? `${field.label} ${values.join(" → ")}`
      : field.label;
  });
  const rest = named.length - texts.length;
  return [...texts, ...(rest > 0 ? [`${rest} more fields`] : [])].join(", ");
}

/** A value as a text; null where it is an id, which nobody reads, or of several lines, of which the beginning alone would fit. */
function valueText(image: Values | null, field: Table["fields"][number]): string | null {
  if (isReference(field.type) || traitsOf(field.type).hasLines) return null;
  const value = image?.[field.name] ?? null;
  if (value === null) return "—";
  const labels = new Map(
    field.options?.map((option) => [option.value, option.label ?? option.value]),
  );
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return shortened(labels.get(text) ?? text, VALUE_MAX_CHARACTERS);
}
