import { deepEqual } from "../../shared/document/deep-equal.ts";
import { attributesOf } from "../../shared/filter/bind-filter.ts";
import { coversUser } from "../../shared/policy/covers.ts";
import { filtersOf, type Role } from "../../shared/policy/role.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { Db } from "../store/database.ts";
import { holdModel } from "../store/models.ts";
import { findUser, lockUser, type UserRow } from "../store/users/users.ts";
import { findRole } from "./find-role.ts";
import { requireRight } from "./require-right.ts";

/**
 * Nobody manages somebody who may more than they, by role or by attributes: by a new role, another
 * password or a lost factor they would become them.
 */

/** The user, whom the caller may manage. */
export async function managedUser(db: Db, me: Subject, id: string): Promise<UserRow> {
  requireRight(me, "users");
  const user = await requireUser(db, id);
  await authorizeRank(db, me, user);
  return user;
}

/** The same, and they stay as they are until the transaction ends. */
export async function lockManagedUser(tx: Db, me: Subject, id: string): Promise<UserRow> {
  requireRight(me, "users");
  const user = await requireLockedUser(tx, id);
  await authorizeRank(tx, me, user);
  return user;
}

/** Somebody, whoever asks. */
export async function requireUser(db: Db, id: string): Promise<UserRow> {
  const row = await findUser(db, id);
  if (!row) throw new Refusal("not_found");
  return row;
}

/** The same, and the user stays as they are until the transaction ends. */
export async function requireLockedUser(tx: Db, id: string): Promise<UserRow> {
  const row = await lockUser(tx, id);
  if (!row) throw new Refusal("not_found");
  return row;
}

/** Refuses who may not manage this person as they are. */
export async function authorizeRank(db: Db, me: Subject, user: UserRow): Promise<void> {
  if (user.role === "owner" && me.role.id !== "owner") {
    throw new Refusal("forbidden", { role: "owner" }, "Only an owner may change an owner.");
  }
  const role = await findRole(db, user.role);
  if (role) await requireRank(db, me, { id: user.id, role, attributes: user.attributes });
}

/**
 * Refuses a role beyond one's own, and whoever reaches other rows by it: everything that a row filter can bind
 * is compared, who they are and every attribute.
 */
export async function requireRank(db: Db, me: Subject, them: Subject): Promise<void> {
  if (coversUser(me, them, await holdModel(db))) return;
  const message = "That needs rights that you do not have yourself.";
  throw new Refusal("forbidden", { right: "users", role: them.role.id }, message);
}

/** Whether other attributes open other rows to somebody by their role. */
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

/** The attributes by which a role chooses rows. */
function boundAttributes(role: Role): Set<string> {
  return new Set(filtersOf(role).flatMap((filter) => [...attributesOf(filter)]));
}
