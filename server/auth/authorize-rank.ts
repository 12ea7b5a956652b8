import { deepEqual } from "../../shared/document/deep-equal.ts";
import { explain } from "../../shared/error-texts/explain.ts";
import { attributesOf } from "../../shared/filter/bind-filter.ts";
import { coversUser } from "../../shared/policy/covers.ts";
import { filtersOf, type Role } from "../../shared/policy/role.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { found, Refusal } from "../../shared/protocol/errors.ts";
import type { Db } from "../store/database.ts";
import { holdModel, withEarlierTables } from "../store/models.ts";
import { findUser, lockUser, type UserRow } from "../store/users/users.ts";
import { findRole } from "./find-role.ts";
import { requireRight } from "./require-right.ts";

/**
 * Nobody manages a user with more rights than their own, by role or by attributes: with a new role, another
 * password or a removed factor they could act as that user.
 */

/** The user, if the caller may manage them. */
export async function managedUser(db: Db, me: Subject, id: string): Promise<UserRow> {
  requireRight(me, "users");
  const user = found(await findUser(db, id));
  await authorizeRank(db, me, user);
  return user;
}

/** The same, locked until the transaction ends. */
export async function lockManagedUser(tx: Db, me: Subject, id: string): Promise<UserRow> {
  requireRight(me, "users");
  const user = found(await lockUser(tx, id));
  await authorizeRank(tx, me, user);
  return user;
}

/** Refuses callers who may not manage this user. */
export async function authorizeRank(db: Db, me: Subject, user: UserRow): Promise<void> {
  if (user.role === "owner" && me.role.id !== "owner") {
    throw new Refusal("forbidden", { role: "owner" }, explain("user.changeOwner"));
  }
  const role = await findRole(db, user.role);
  if (role) await requireRank(db, me, { id: user.id, role, attributes: user.attributes });
}

/**
 * Refuses a role beyond one's own, also if it opens other rows: everything that a row filter can bind is
 * compared, the user's id and every attribute.
 */
export async function requireRank(db: Db, me: Subject, them: Subject): Promise<void> {
  const model = await withEarlierTables(db, await holdModel(db));
  if (coversUser(me, them, model)) return;
  throw new Refusal("forbidden", { right: "users", role: them.role.id }, explain("user.rank"));
}

/** Whether changed attributes open other rows to a user by their role. */
export async function hasRowScopeChanged(
  db: Db,
  before: Pick<UserRow, "attributes">,
  after: Pick<UserRow, "role" | "attributes">,
): Promise<boolean> {
  const role = await findRole(db, after.role);
  return [...(role ? boundAttributes(role) : [])].some(
    (name) => !deepEqual(attribute(before, name), attribute(after, name)),
  );
}

const attribute = ({ attributes }: Pick<UserRow, "attributes">, name: string) =>
  Object.hasOwn(attributes, name) ? attributes[name] : null;

/** The attributes that a role's row filters use. */
function boundAttributes(role: Role): Set<string> {
  return new Set(filtersOf(role).flatMap((filter) => [...attributesOf(filter)]));
}
