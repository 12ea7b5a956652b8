import { randomUUID } from "node:crypto";
import { isStorableJson } from "../../shared/filter/storable.ts";
import type { Model } from "../../shared/model/model.ts";
import { covers } from "../../shared/policy/covers.ts";
import { builtInRoles, type Role } from "../../shared/policy/role.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { CreateRoleCall, PatchRoleCall, RoleInfo } from "../../shared/protocol/roles.ts";
import type { Db } from "../store/database.ts";
import {
  countUsersByRole,
  deleteRole,
  findStoredRole,
  holdUsersOf,
  insertRole,
  listRoles,
  lockRole,
  type RoleRow,
  updateRole,
} from "../store/people/roles.ts";
import { builtInRole, readRole } from "./find-role.ts";
import { judgeGrants } from "./judge-grants.ts";
import { mergeRole } from "./merge-role.ts";
import { hasRight, requireRight } from "./require-right.ts";
import type { Revocations } from "./revocations.ts";
import { recordEvent } from "./security-log.ts";
import { voidLinks } from "./void-links.ts";

/**
 * The roles of the installation, each call judged by the rights of who makes it: the right `roles`
 * manages them, nobody grants what they do not have, and the built-in ones stay as they are, so that
 * an owner can always put things right. Who manages roles knows the names of all tables and fields.
 */

interface Deps {
  db: Db;
  revocations: Revocations;
}

/** All roles, the built-in ones first. */
export async function allRoles({ db }: Deps, me: Subject): Promise<RoleInfo[]> {
  const own = (await listRoles(db)).map(readRole);
  const told = [...builtInRoles, ...own].map((role) => describe(role, me));
  return withUsers(db, me, told);
}

/** A role as far as the caller may know it; refuses one that is not there. */
export async function oneRole({ db }: Deps, me: Subject, id: string): Promise<RoleInfo> {
  const role = describe(builtInRole(id) ?? readRole(await found(findStoredRole(db, id))), me);
  const [told] = await withUsers(db, me, [role]);
  return told ?? role;
}

/** A new role, which nobody has yet. */
export async function addRole(
  { db }: Deps,
  me: Subject,
  call: CreateRoleCall,
  model: Model,
): Promise<RoleInfo> {
  requireRight(me, "roles");
  const role = { id: randomUUID(), ...call };
  judge(role, me, model);
  await db.transaction().execute(async (tx) => {
    if (!(await insertRole(tx, toRow(role)))) throw nameTaken();
    await recordRole(tx, me, "role_added", role);
  });
  return describe(role, me);
}

/** Merges the change into the role. It holds for everybody who has the role, at once. */
export async function changeRole(
  { db, revocations }: Deps,
  me: Subject,
  id: string,
  call: PatchRoleCall,
  model: Model,
): Promise<RoleInfo> {
  requireRight(me, "roles");
  refuseBuiltIn(id);
  const role = await db.transaction().execute(async (tx) => {
    const before = readRole(await found(lockRole(tx, id)));
    requireCovered(before, me);
    const after = { id, ...mergeRole(before, call) };
    judge(after, me, model);
    // Who may more by it than before may be beyond who made a link for them.
    if (!covers(before, after)) await voidLinks(tx, await holdUsersOf(tx, id));
    if (!(await updateRole(tx, toRow(after)))) throw nameTaken();
    await recordRole(tx, me, "role_changed", after, { changed: changedParts(before, after) });
    return after;
  });
  revocations.announce({ kind: "role", role: id });
  return describe(role, me);
}

/** A role that somebody has stays. */
export async function removeRole({ db, revocations }: Deps, me: Subject, id: string) {
  requireRight(me, "roles");
  refuseBuiltIn(id);
  await db.transaction().execute(async (tx) => {
    const role = readRole(await found(lockRole(tx, id)));
    requireCovered(role, me);
    const users = await deleteRole(tx, id);
    if (users === 0) return recordRole(tx, me, "role_removed", role);
    throw new Refusal("still_linked", { users }, "There are people who have this role.");
  });
  revocations.announce({ kind: "role", role: id });
}

function recordRole(
  db: Db,
  me: Subject,
  kind: "role_added" | "role_changed" | "role_removed",
  { id, name }: Role,
  detail: Record<string, string[]> = {},
): Promise<void> {
  return recordEvent(db, { kind, actor: me.id, subject: id, subjectName: name, detail });
}

/** Name, rights, and the tables whose grants are other ones. */
function changedParts(before: Role, after: Role): string[] {
  const differ = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b);
  const tables = [...new Set([...Object.keys(before.grants), ...Object.keys(after.grants)])];
  return [
    ...(before.name === after.name ? [] : ["name"]),
    ...(differ(before.rights, after.rights) ? ["rights"] : []),
    ...tables.filter((table) => differ(before.grants[table], after.grants[table])),
  ];
}

/** Who manages roles is told how many people have each. */
async function withUsers(db: Db, me: Subject, roles: RoleInfo[]): Promise<RoleInfo[]> {
  if (!hasRight(me, "roles")) return roles;
  const users = await countUsersByRole(db);
  return roles.map((role) => ({ ...role, users: users.get(role.id) ?? 0 }));
}

function describe(role: Role, me: Subject): RoleInfo {
  const { id, name, rights, grants } = role;
  const known = { id, name, builtIn: builtInRole(id) !== undefined };
  return hasRight(me, "roles") || known.builtIn ? { ...known, rights, grants } : known;
}

async function found(row: Promise<RoleRow | null>): Promise<RoleRow> {
  const role = await row;
  if (!role) throw new Refusal("not_found");
  return role;
}

const toRow = (role: Role): RoleRow => role as unknown as RoleRow;

function judge(role: Role, me: Subject, model: Model): void {
  if (!isStorableJson({ name: role.name, grants: toRow(role).grants })) {
    throw new Refusal("invalid_request", {}, "A text has a character that can't be kept.");
  }
  if (builtInRoles.some(({ name }) => name.toLowerCase() === role.name.toLowerCase())) {
    throw nameTaken();
  }
  judgeGrants(role, model);
  requireCovered(role, me);
}

/** Nobody grants what they do not have, and nobody touches a role that may more than they. */
function requireCovered(role: Role, me: Subject): void {
  if (covers(me.role, role)) return;
  const message = "That role has rights that you do not have yourself.";
  throw new Refusal("forbidden", { right: "roles", role: role.id }, message);
}

function refuseBuiltIn(id: string): void {
  if (!builtInRole(id)) return;
  throw new Refusal("forbidden", { right: "roles", role: id }, "Built-in roles can't be changed.");
}

function nameTaken(): Refusal {
  return new Refusal("duplicate", { field: "name" }, "There is a role with that name.");
}
