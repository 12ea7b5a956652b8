import { explain } from "../../shared/error-texts/explain.ts";
import { isStorable } from "../../shared/filter/storable.ts";
import { findTable, idOfTable, type Table } from "../../shared/model/model.ts";
import { grantOn } from "../../shared/policy/role.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import type { CommentUser } from "../../shared/protocol/comments.ts";
import { invalidValue, Refusal } from "../../shared/protocol/errors.ts";
import type { Identity } from "../auth/identity.ts";
import { readRecord } from "../commands/read-record.ts";
import { missingRight, requireScope } from "../policy/authorize.ts";
import { type CommentRow, findComment } from "../store/comments.ts";
import { publishedVersion } from "../store/models.ts";
import { type Context, requireModel, withPublishedModel } from "../store/published-model.ts";
import type { ReadTurns } from "../store/read-turns.ts";
import { findReaders } from "./find-readers.ts";
import { findHiddenComments, isHidden } from "./hidden-comments.ts";

/**
 * What these commands work on. Comments are read together with their records: in the same turns, and `database` has the same
 * connections.
 */
export interface Comments extends Context {
  reads: ReadTurns;
}

/** Runs in the caller's turn, by the published model: another server may have changed it a moment ago. */
export function byModel<Result>(
  { database, model, reads }: Comments,
  me: Pick<Identity, "subject">,
  attempt: () => Promise<Result>,
): Promise<Result> {
  return reads.run(me, () =>
    withPublishedModel(model.refreshAfterFailure, async () => {
      requireModel({ modelVersion: await publishedVersion(database.kysely) }, model());
      return attempt();
    }),
  );
}

/** The comment, if its record can be read; a removed one if it can be restored. */
export async function findReadable(
  comments: Comments,
  subject: Subject,
  id: string,
  removed = false,
) {
  const { database, model } = comments;
  const row = isStorable(id) ? await findComment(database.kysely, subject.id, id, removed) : null;
  const table = row && model().tables.find((one) => idOfTable(one) === row.table_id);
  if (!row || !table) throw new Refusal("not_found");
  await requireReadable(comments, subject, table.name, row.record);
  await requireVisible(comments, subject, table, row);
  return { row, table };
}

/** Refuses a comment on a former record of the same id that the reader could not see. */
export async function requireVisible(
  { database }: Comments,
  subject: Subject,
  table: Table,
  row: Pick<CommentRow, "record" | "n">,
): Promise<void> {
  const scope = requireScope(subject, table);
  const hidden = await findHiddenComments(database, { table, scope }, [row.record]);
  if (isHidden(hidden, row)) throw new Refusal("not_found");
}

/** The comments of a deleted record are part of its history. */
export async function requireReadable(
  comments: Comments,
  subject: Subject,
  name: string,
  record: string,
): Promise<Table> {
  const table = findTable(comments.model(), name) as Table;
  await readRecord(comments, subject, name, record).catch((error) => {
    const isDeleted = error instanceof Refusal && error.code === "record_deleted";
    if (!isDeleted || !grantOn(subject.role, table).history) throw error;
  });
  return table;
}

export async function requireWritable(
  comments: Comments,
  subject: Subject,
  name: string,
  record: string,
): Promise<Table> {
  await readRecord(comments, subject, name, record);
  const table = findTable(comments.model(), name) as Table;
  if (!grantOn(subject.role, table).comment) throw missingRight("comment", table);
  return table;
}

/** Refuses mentions of users who can't read the record, exactly like those of users who don't exist. */
export async function requireReaders(
  comments: Comments,
  table: Table,
  record: string,
  users: readonly string[],
): Promise<void> {
  if (users.length === 0) return;
  const named = <User extends CommentUser>(all: readonly User[]) =>
    all.filter(({ id }) => users.includes(id));
  const readers = await findReaders(comments.database, table, record, named, users.length);
  if (readers.length === users.length) return;
  throw invalidValue("text", "mention", explain("comment.mention"));
}
