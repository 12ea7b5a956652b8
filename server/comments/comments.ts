import { randomUUID } from "node:crypto";
import type { CommentFilter } from "../../shared/contract/comments.ts";
import { foldCase } from "../../shared/filter/fold-case.ts";
import { isStorable } from "../../shared/filter/storable.ts";
import type { Limits } from "../../shared/limits.ts";
import { findTable, idOfTable, type Model, type Table } from "../../shared/model/model.ts";
import { grantOn } from "../../shared/policy/role.ts";
import { type Scope, type Subject, scopeOf } from "../../shared/policy/scope.ts";
import type {
  CommentInfo,
  CommentUser,
  CreateCommentCall,
  PatchCommentCall,
  ReadCommentsCall,
} from "../../shared/protocol/comments.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { mentionedUsers } from "../../shared/protocol/mentions.ts";
import type { Identity } from "../auth/identity.ts";
import { hasRight } from "../auth/require-right.ts";
import { readableNow } from "../commands/read-activity.ts";
import { readRecord } from "../commands/read-record.ts";
import { missingRight, requireScope } from "../policy/authorize.ts";
import {
  type CommentChange,
  type CommentRow,
  findComment,
  insertComment,
  listComments,
  markRead,
  setRemoved,
  updateComment,
} from "../store/comments.ts";
import type { Database } from "../store/database.ts";
import { publishedVersion } from "../store/models.ts";
import { requireModel, withPublishedModel } from "../store/published-model.ts";
import { type CommentPage, pageOf, placeOf, toInfo } from "./comment-page.ts";
import { findReaders } from "./find-readers.ts";

interface CommentsDeps {
  database: Database;
  model: () => Model;
  /** Loads the newest version of the model. */
  refreshModel: () => Promise<void>;
  /** Called after comments were changed or read. */
  onChange: (change: CommentChange) => void;
  limits: Limits;
}

/** Comments that are read by one statement, and by one call. */
const WINDOW_COMMENTS = 200;
const CALL_MAX_COMMENTS = 2_000;
const MENTIONABLE_LISTED = 8;

/**
 * The commands on comments. Whoever can read a record now reads its comments; the grant `comment` writes
 * them. The comments of an unreadable record are answered like missing ones.
 */
export class Comments {
  readonly #deps: CommentsDeps;

  constructor(deps: CommentsDeps) {
    this.#deps = deps;
  }

  /** The newest comments in the reader's scope: of one record, or of all. */
  async list({ subject }: Identity, call: CommentFilter): Promise<CommentPage> {
    return this.#run(async () => {
      const scopes = await this.#scopesOf(subject, call);
      const { limits, database } = this.#deps;
      const limit = Math.min(call.limit ?? limits.PAGE_DEFAULT_RECORDS, limits.PAGE_MAX_RECORDS);
      const query = {
        ...call,
        tables: [...scopes.keys()],
        mentioned: call.mentioned && subject.id,
        size: WINDOW_COMMENTS,
      };
      const search = foldCase(call.search?.trim() ?? "");
      const items: CommentInfo[] = [];
      let before = placeOf(call.before);
      for (let looked = 0; looked < CALL_MAX_COMMENTS; looked += WINDOW_COMMENTS) {
        const rows = await listComments(database.kysely, subject.id, { ...query, before });
        for (const row of await this.#visible(rows, scopes, subject)) {
          if (items.length === limit) return pageOf(items, before);
          before = row.n;
          const info = toInfo(row, scopes.get(row.table_id)?.table as Table, subject);
          if (foldCase(info.text).includes(search)) items.push(info);
        }
        if (rows.length < WINDOW_COMMENTS) return pageOf(items, null);
        before = rows.at(-1)?.n ?? null;
      }
      return pageOf(items, before);
    });
  }

  async one({ subject }: Identity, id: string): Promise<CommentInfo> {
    return this.#run(async () => {
      const { row, table } = await this.#find(subject, id);
      return toInfo(row, table, subject);
    });
  }

  async create(me: Identity, { table: name, record, text }: CreateCommentCall) {
    const id = randomUUID();
    await this.#run(async () => {
      const table = await this.#requireWritable(me.subject, name, record);
      const table_id = idOfTable(table);
      const users = mentionedUsers(text);
      await this.#requireReaders(table, record, users);
      const comment = { id, table_id, record, author: me.actor, text, mentions: users };
      await insertComment(this.#deps.database.kysely, comment);
      this.#deps.onChange({ users, thread: { table_id, record } });
    });
    return this.one(me, id);
  }

  /** Edits one's own text, or resolves or reopens any comment. */
  async change(me: Identity, id: string, { text, resolved }: PatchCommentCall) {
    await this.#run(async () => {
      const { row, table } = await this.#find(me.subject, id);
      await this.#requireWritable(me.subject, table.name, row.record);
      if (text !== undefined && row.author !== me.actor) throw notYours();
      const before = mentionedUsers(row.text);
      const mentions = text === undefined ? before : mentionedUsers(text);
      const added = mentions.filter((user) => !before.includes(user));
      await this.#requireReaders(table, row.record, added);
      await updateComment(this.#deps.database.kysely, id, me.actor, {
        ...(text !== undefined && { text, mentions }),
        ...(resolved !== undefined && { resolved }),
      });
      this.#changed(row, [...before, ...mentions]);
    });
    return this.one(me, id);
  }

  /** Authors remove their comments, users with the right `activity` any. */
  async remove(me: Identity, id: string): Promise<void> {
    await this.#run(async () => {
      const { row, table } = await this.#find(me.subject, id);
      if (!hasRight(me.subject, "activity")) {
        await this.#requireWritable(me.subject, table.name, row.record);
        if (row.author !== me.actor) throw notYours();
      }
      await setRemoved(this.#deps.database.kysely, id, me.actor);
      this.#changed(row, mentionedUsers(row.text));
    });
  }

  /** Brings a comment back that the caller removed in the last 30 days. */
  async restore(me: Identity, id: string): Promise<CommentInfo> {
    await this.#run(async () => {
      const { row, table } = await this.#find(me.subject, id, true);
      if (row.removed_by !== me.actor) throw new Refusal("not_found");
      if (!hasRight(me.subject, "activity")) {
        await this.#requireWritable(me.subject, table.name, row.record);
      }
      await setRemoved(this.#deps.database.kysely, id, null);
      this.#changed(row, mentionedUsers(row.text));
    });
    return this.one(me, id);
  }

  /** Users who can be mentioned on a record, by a part of their name. */
  async mentionable(
    { subject }: Identity,
    {
      table: name,
      record,
      search = "",
    }: { table: string; record: string; search?: string | undefined },
  ): Promise<CommentUser[]> {
    return this.#run(async () => {
      const table = await this.#requireWritable(subject, name, record);
      const part = foldCase(search.trim());
      const matches = (user: CommentUser) => foldCase(user.name).includes(part);
      return findReaders(this.#deps.database, table, record, matches, MENTIONABLE_LISTED);
    });
  }

  async markRead({ subject }: Identity, { table: name, record, until }: ReadCommentsCall) {
    await this.#run(async () => {
      const table = await this.#requireReadable(subject, name, record);
      const table_id = idOfTable(table);
      const thread = { table_id, record, until };
      const { kysely } = this.#deps.database;
      if (!isStorable(until) || !(await markRead(kysely, subject.id, thread))) {
        throw new Refusal("not_found");
      }
      this.#deps.onChange({ users: [subject.id] });
    });
  }

  #changed({ table_id, record }: CommentRow, users: readonly string[]): void {
    this.#deps.onChange({ users: [...new Set(users)], thread: { table_id, record } });
  }

  /** Runs by the published model: another server may have changed it a moment ago. */
  #run<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const { database, model, refreshModel } = this.#deps;
    return withPublishedModel(refreshModel, async () => {
      requireModel({ modelVersion: await publishedVersion(database.kysely) }, model());
      return attempt();
    });
  }

  /** The comment, if its record can be read; a removed one if it can be restored. */
  async #find(subject: Subject, id: string, removed = false) {
    const { database, model } = this.#deps;
    const row = isStorable(id) ? await findComment(database.kysely, subject.id, id, removed) : null;
    const table = row && model().tables.find((one) => idOfTable(one) === row.table_id);
    if (!row || !table) throw new Refusal("not_found");
    await this.#requireReadable(subject, table.name, row.record);
    return { row, table };
  }

  /** The comments of a deleted record are part of its history. */
  async #requireReadable(subject: Subject, name: string, record: string): Promise<Table> {
    const table = findTable(this.#deps.model(), name) as Table;
    await readRecord(this.#deps, subject, name, record).catch((error) => {
      const isDeleted = error instanceof Refusal && error.code === "record_deleted";
      if (!isDeleted || !grantOn(subject.role, table).history) throw error;
    });
    return table;
  }

  async #requireWritable(subject: Subject, name: string, record: string): Promise<Table> {
    await readRecord(this.#deps, subject, name, record);
    const table = findTable(this.#deps.model(), name) as Table;
    if (!grantOn(subject.role, table).comment) throw missingRight("comment", table);
    return table;
  }

  /** Refuses mentions of users who can't read the record, exactly like those of users who don't exist. */
  async #requireReaders(table: Table, record: string, users: readonly string[]): Promise<void> {
    if (users.length === 0) return;
    const isNamed = ({ id }: CommentUser) => users.includes(id);
    const readers = await findReaders(this.#deps.database, table, record, isNamed, users.length);
    if (readers.length === users.length) return;
    const message = "Only users who can read this record can be mentioned.";
    throw new Refusal("validation_failed", { fields: { text: { rule: "mention", message } } });
  }

  /** By their ids, the tables whose comments are requested. */
  async #scopesOf(subject: Subject, { table: name, record }: CommentFilter): Promise<Scopes> {
    const { model } = this.#deps;
    if (name === undefined) {
      if (record !== undefined) {
        throw new Refusal(
          "invalid_request",
          { at: "record" },
          "A record is one of a table: say which.",
        );
      }
      const readable = model().tables.flatMap((table) => {
        const scope = scopeOf(subject, table);
        return scope ? [[idOfTable(table), { table, scope }] as const] : [];
      });
      return new Map(readable);
    }
    const table = findTable(model(), name) as Table;
    const scope = requireScope(subject, table);
    if (record !== undefined) await this.#requireReadable(subject, name, record);
    return new Map([[idOfTable(table), { table, scope }]]);
  }

  /** Of these comments those on records that the reader can read now, in the same order. */
  async #visible(
    rows: readonly CommentRow[],
    scopes: Scopes,
    { role }: Subject,
  ): Promise<CommentRow[]> {
    const readable = new Map<string, ReadonlySet<string>>();
    for (const [id, own] of Map.groupBy(rows, ({ table_id }) => table_id)) {
      const at = scopes.get(id);
      const ids = [...new Set(own.map(({ record }) => record))];
      if (!at) continue;
      const withDeleted = grantOn(role, at.table).history === true;
      readable.set(id, await readableNow(this.#deps, at, ids, withDeleted));
    }
    return rows.filter(({ table_id, record }) => readable.get(table_id)?.has(record));
  }
}

type Scopes = Map<string, { table: Table; scope: Scope }>;

function notYours(): Refusal {
  return new Refusal("forbidden", { right: "activity" }, "Only its author can change a comment.");
}
