import { isDeepStrictEqual } from "node:util";
import { attributesOf } from "../../shared/filter/bind-filter.ts";
import { covers } from "../../shared/policy/covers.ts";
import { filtersOf, type Role } from "../../shared/policy/role.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { Db } from "../store/database.ts";
import { findUser, lockUser, type UserRow } from "../store/people/users.ts";
import { findRole } from "./find-role.ts";
import { requireRight } from "./require-right.ts";

/**
 * Nobody manages somebody who may more than they, by role or by attributes: by a new role, another
 * password or a lost factor they would become them.
 */

/** The user, whom the caller may manage. */
export async function managedPerson(db: Db, me: Subject, id: string): Promise<UserRow> {
  requireRight(me, "users");
  const user = await findPerson(db, id);
  await judgeRank(db, me, user);
  return user;
}

/** The same, and they stay as they are until the transaction ends. */
export async function holdManagedPerson(tx: Db, me: Subject, id: string): Promise<UserRow> {
  requireRight(me, "users");
  const user = await holdPerson(tx, id);
  await judgeRank(tx, me, user);
  return user;
}

/** Somebody, whoever asks. */
export async function findPerson(db: Db, id: string): Promise<UserRow> {
  const row = await findUser(db, id);
  if (!row) throw new Refusal("not_found");
  return row;
}

/** The same, and the user stays as they are until the transaction ends. */
export async function holdPerson(tx: Db, id: string): Promise<UserRow> {
  const row = await lockUser(tx, id);
  if (!row) throw new Refusal("not_found");
  return row;
}

/** Refuses who may not manage this person as they are. */
export async function judgeRank(db: Db, me: Subject, user: UserRow): Promise<void> {
  if (user.role === "owner" && me.role.id !== "owner") {
    throw new Refusal("forbidden", { role: "owner" }, "Only an owner may change an owner.");
  }
  const role = await findRole(db, user.role);
  if (role) requireRank(me, role, user.attributes);
}

/** Refuses a role, and attributes that would open other rows by it, which are beyond one's own. */
export function requireRank(me: Subject, role: Role, attributes: Subject["attributes"] = {}): void {
  if (covers(me.role, role) && hasNoOtherRows(me, role, attributes)) return;
  const message = "That needs rights that you do not have yourself.";
  throw new Refusal("forbidden", { right: "users", role: role.id }, message);
}

/** Whether other attributes open other rows to somebody by their role. */
export async function hasMoved(
  db: Db,
  before: Pick<UserRow, "attributes">,
  after: Pick<UserRow, "role" | "attributes">,
): Promise<boolean> {
  const role = await findRole(db, after.role);
  return [...(role ? asked(role) : [])].some(
    (name) => !isDeepStrictEqual(attribute(before, name), attribute(after, name)),
  );
}

const attribute = ({ attributes }: Pick<UserRow, "attributes">, name: string) =>
  Object.hasOwn(attributes, name) ? attributes[name] : null;

/** The attributes by which a role chooses rows. */
function asked(role: Role): Set<string> {
  return new Set(filtersOf(role).flatMap((filter) => [...attributesOf(filter)]));
}

/**
 * Where both roles choose rows by an attribute, only one's own value of it opens no other rows; none
 * opens none at all.
 */
function hasNoOtherRows(me: Subject, role: Role, attributes: Subject["attributes"]): boolean {
  const mine = asked(me.role);
  return [...asked(role)].every((name) => {
    const value = attribute({ attributes }, name);
    return value === null || !mine.has(name) || isDeepStrictEqual(value, attribute(me, name));
  });
}
