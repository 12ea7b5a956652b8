import { randomUUID } from "node:crypto";
import { diff } from "../../shared/document/diff.ts";
import { explain } from "../../shared/error-texts/explain.ts";
import type { Model } from "../../shared/model/model.ts";
import { coversRole } from "../../shared/policy/covers.ts";
import { builtInRoles, byStoredKeys, type Role } from "../../shared/policy/role.ts";
import { roleToTree } from "../../shared/policy/role-tree.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { found, Refusal } from "../../shared/protocol/errors.ts";
import type { CreateRoleCall, PatchRoleCall, RoleInfo } from "../../shared/protocol/roles.ts";
import { requireStorable } from "../policy/require-storable.ts";
import type { Db } from "../store/database.ts";
import { holdModel, withEarlierTables } from "../store/models.ts";
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
} from "../store/users/roles.ts";
import type { Auth } from "./create-auth.ts";
import { builtInRole, readRole } from "./find-role.ts";
import { mergeRole } from "./merge-role.ts";
import { hasRight, requireRight } from "./require-right.ts";
import { recordEvent } from "./security-log.ts";
import { voidLinks } from "./user-links.ts";
import { validateGrants } from "./validate-grants.ts";

/**
 * The roles of the installation, each call authorised by the caller's rights: the right `roles` manages them,
 * nobody grants rights that they do not have, and the built-in ones can't be changed, so that an owner can
 * always repair the others. Users who manage roles know the names of all tables and fields.
 */

/** All roles, the built-in ones first. */
export async function allRoles({ db }: Auth, me: Subject): Promise<RoleInfo[]> {
  const own = (await listRoles(db)).map(readRole);
  const described = [...builtInRoles, ...own].map((role) => describe(role, me));
  return withUsers(db, me, described);
}

/** A role as far as the caller may see it; refuses a missing one. */
export async function oneRole({ db }: Auth, me: Subject, id: string): Promise<RoleInfo> {
  const role = describe(builtInRole(id) ?? readRole(found(await findStoredRole(db, id))), me);
  const [described] = await withUsers(db, me, [role]);
  return described ?? role;
}

/** A new role, without users. */
export async function addRole({ db }: Auth, me: Subject, call: CreateRoleCall): Promise<RoleInfo> {
  requireRight(me, "roles");
  const role = await db.transaction().execute(async (tx) => {
    const model = await withEarlierTables(tx, await holdModel(tx));
    const grants = byStoredKeys(call.grants, {}, model);
    const role = { id: randomUUID(), ...call, grants };
    authorizeRoleChange(role, me, model);
    if (!(await insertRole(tx, toRow(role)))) throw nameTaken();
    await recordRole(tx, me, "role_added", role);
    return role;
  });
  return describe(role, me);
}

/** Merges the change into the role. It takes effect at once for all its users. */
export async function changeRole(
  { db, notifier }: Auth,
  me: Subject,
  id: string,
  call: PatchRoleCall,
): Promise<RoleInfo> {
  requireRight(me, "roles");
  refuseBuiltIn(id);
  const role = await db.transaction().execute(async (tx) => {
    const model = await withEarlierTables(tx, await holdModel(tx));
    const before = readRole(found(await lockRole(tx, id)));
    requireCovered(before, me, model);
    const after = { id, ...mergeRole(before, byStoredNames(call, before, model)) };
    authorizeRoleChange(after, me, model, before);
    // Users who gain rights by it may now have more than the author of their links.
    if (!coversRole(before, after, model)) await voidLinks(tx, await holdUsersOf(tx, id));
    if (!(await updateRole(tx, toRow(after)))) throw nameTaken();
    await recordRole(tx, me, "role_changed", after, { changed: changedParts(before, after) });
    return after;
  });
  notifier.changed("role", id);
  return describe(role, me);
}

/** A role that a user or an API token has can't be deleted. */
export async function removeRole({ db, notifier }: Auth, me: Subject, id: string) {
  requireRight(me, "roles");
  refuseBuiltIn(id);
  await db.transaction().execute(async (tx) => {
    const model = await withEarlierTables(tx, await holdModel(tx));
    const role = readRole(found(await lockRole(tx, id)));
    requireCovered(role, me, model);
    const { users, tokens } = await deleteRole(tx, id);
    if (users + tokens === 0) return recordRole(tx, me, "role_removed", role);
    const explanation = explain(users > 0 ? "role.usedByUsers" : "role.usedByTokens");
    throw new Refusal("still_linked", { users, tokens }, explanation);
  });
  notifier.changed("role", id);
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

/** A change of a role under the names of its stored grants. */
function byStoredNames(call: PatchRoleCall, { grants }: Role, model: Model): PatchRoleCall {
  const { base } = call;
  return {
    ...call,
    ...(call.grants && { grants: byStoredKeys(call.grants, grants, model) }),
    ...(base?.grants && { base: { ...base, grants: byStoredKeys(base.grants, grants, model) } }),
  };
}

/** Name, rights, and the tables whose grants differ. */
function changedParts(before: Role, after: Role): string[] {
  const changes = diff(roleToTree(before), roleToTree(after)).map(({ path }) => path);
  return [...new Set(changes.map(([part = "", table = ""]) => (part === "grants" ? table : part)))];
}

/** Users who manage roles see how many users have each. */
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

const toRow = (role: Role): RoleRow => role as unknown as RoleRow;

/** Refuses a role that is not storable or valid, in its new part, or that exceeds the caller's rights. */
function authorizeRoleChange(role: Role, me: Subject, model: Model, before?: Role): void {
  requireStorable({ name: role.name, grants: role.grants });
  if (builtInRoles.some(({ name }) => name.toLowerCase() === role.name.toLowerCase())) {
    throw nameTaken();
  }
  validateGrants(role, model, before);
  requireCovered(role, me, model);
}

/** Nobody grants rights that they do not have, and nobody changes a role with more rights than theirs. */
function requireCovered(role: Role, me: Subject, model: Model): void {
  if (coversRole(me.role, role, model)) return;
  throw new Refusal("forbidden", { right: "roles", role: role.id }, explain("role.notCovered"));
}

function refuseBuiltIn(id: string): void {
  if (!builtInRole(id)) return;
  throw new Refusal("forbidden", { right: "roles", role: id }, explain("role.builtIn"));
}

function nameTaken(): Refusal {
  return new Refusal("duplicate", { field: "name" }, explain("role.nameTaken"));
}
