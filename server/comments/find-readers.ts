import type { Table } from "../../shared/model/model.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import type { CommentUser } from "../../shared/protocol/comments.ts";
import { roleOrNoRights } from "../auth/find-role.ts";
import { canSee } from "../policy/authorize.ts";
import type { Database } from "../store/database.ts";
import { readStoredRecord } from "../store/records.ts";
import { listRoles } from "../store/users/roles.ts";
import { listUsers } from "../store/users/users.ts";

/** Of the active users that `match` returns, those who can read a record now: at most `max`, in its order. It is given all users, by name. */
export async function findReaders(
  database: Database,
  table: Table,
  record: string,
  match: <User extends CommentUser>(users: readonly User[]) => readonly User[],
  max: number,
): Promise<CommentUser[]> {
  const [stored, users, declared] = await Promise.all([
    readStoredRecord(database, table, record, null),
    listUsers(database.kysely),
    listRoles(database.kysely),
  ]);
  if (!stored) return [];
  const roles = new Map(declared.map((row) => [row.id, row]));
  const readers: CommentUser[] = [];
  for (const { id, name, colour, status, attributes, role } of match(users)) {
    if (readers.length === max) break;
    if (status !== "active") continue;
    const subject = { id, attributes, role: roleOrNoRights(role, roles.get(role) ?? null) };
    const scope = scopeOf(subject, table);
    if (scope && canSee(scope, table, record, stored.values)) readers.push({ id, name, colour });
  }
  return readers;
}
