import { randomUUID } from "node:crypto";
import { explain } from "../../shared/error-texts/explain.ts";
import { explainSignIn } from "../../shared/error-texts/sign-in-texts.ts";
import { isStorable, isStorableJson } from "../../shared/filter/storable.ts";
import type { Role } from "../../shared/policy/role.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { found, invalidValue, Refusal } from "../../shared/protocol/errors.ts";
import type {
  ChangedUser,
  CreateUserCall,
  PatchUserCall,
  UserInfo,
} from "../../shared/protocol/users.ts";
import type { Db } from "../store/database.ts";
import { findProvider } from "../store/users/identity-providers.ts";
import { findDisabling } from "../store/users/security-events.ts";
import { deleteSessionsOf } from "../store/users/sessions.ts";
import {
  deleteUser,
  findUser,
  hasOtherOwner,
  insertUser,
  listUsers,
  lockUser,
  type NewUser,
  type UserRow,
  updateUser,
} from "../store/users/users.ts";
import { authorizeAgain } from "./authenticate.ts";
import { authorizeRank, hasRowScopeChanged, requireRank } from "./authorize-rank.ts";
import type { Auth } from "./create-auth.ts";
import { type EndedAccess, endMadeBy } from "./end-made-by.ts";
import { builtInRole, findRole } from "./find-role.ts";
import type { Identity } from "./identity.ts";
import { hashPassword } from "./password.ts";
import { validatePassword } from "./password-rules.ts";
import { hasRight, requireRight } from "./require-right.ts";
import { recordEvent } from "./security-log.ts";
import { requireNotBreakGlass } from "./sign-in-policy.ts";
import { type IssuedLink, issueLink, voidLinks } from "./user-links.ts";

/**
 * The users of the installation, each call authorised by the caller's rights: everybody may list them, the
 * right `users` manages them, only an owner changes or creates an owner, nobody manages users with more
 * rights than theirs or changes their own row filter, and the last active owner can't be removed. Every
 * change is announced, so that open connections follow.
 */

/** Users with all rights of an admin are bound by no attribute. */
const adminRole = builtInRole("admin") as Role;

/** Everybody, as far as the caller may see them. */
export async function allUsers({ db }: Auth, me: Subject): Promise<UserInfo[]> {
  return (await listUsers(db)).map((row) => describe(row, me));
}

/** A user, as far as the caller may see them. */
export async function oneUser({ db }: Auth, me: Subject, id: string): Promise<UserInfo> {
  return describe(found(await findUser(db, id)), me);
}

/** A new user; without a password they are invited, and the token is the only way to sign in. */
export async function addUser(
  { db, limits, mailBox }: Auth,
  identity: Identity,
  call: CreateUserCall,
): Promise<{ user: UserInfo; invitation: IssuedLink | null }> {
  requireRight(identity.subject, "users");
  validateAttributes(call.attributes);
  const id = randomUUID();
  const { email, name, role, attributes = {} } = call;
  if (call.password !== undefined) await validatePassword(call.password, [email, name]);
  const passwordHash = call.password === undefined ? null : await hashPassword(call.password);
  const status: NewUser["status"] = passwordHash ? "active" : "invited";
  const user = { id, email, name, role, attributes, status, passwordHash };
  return db.transaction().execute(async (tx) => {
    // Making the hash of a password takes long.
    const { subject: me } = await authorizeAgain(tx, identity, "users");
    await authorizeRole(tx, me, user);
    const added = await insertUser(tx, user);
    if (!added) throw emailTaken();
    const roleName = await roleNameOf(tx, role);
    const detail = { role, roleName, invited: passwordHash === null };
    await recordEvent(tx, { kind: "user_added", actor: me.id, subject: id, detail });
    const link = passwordHash
      ? null
      : await issueLink(tx, "invitation", id, limits.INVITATION_TTL_MS, mailBox);
    return { user: describe(added, me), invitation: link };
  });
}

/** Merges the change into the user. Users change their own name and colour; all else needs the right. */
export async function changeUser(
  { db, notifier }: Auth,
  me: Subject,
  id: string,
  call: PatchUserCall,
): Promise<ChangedUser> {
  const { name: _name, colour: _colour, ...managed } = call;
  const own = id === me.id && Object.keys(managed).length === 0;
  if (!own) requireRight(me, "users");
  validateAttributes(call.attributes);
  const { row, ended } = await db.transaction().execute(async (tx) => {
    const ended = own ? null : await authorizeChange(tx, me, found(await lockUser(tx, id)), call);
    return { row: found(await updateUser(tx, id, call)), ended };
  });
  notifier.changed("user", id);
  return { ...describe(row, me), ...(ended && { ended }) };
}

/**
 * Authorises a change of a managed user, ends what it ends, and records it. Returns what was made with the account and is ended: what
 * a program holds must not come to life because a colleague is back.
 */
async function authorizeChange(
  tx: Db,
  me: Subject,
  before: UserRow,
  call: PatchUserCall,
): Promise<EndedAccess | null> {
  const { id } = before;
  await authorizeRank(tx, me, before);
  const { role = before.role, status = before.status } = call;
  if (role !== before.role && before.role_provider !== null) {
    const provider = (await findProvider(tx, before.role_provider))?.name ?? before.role_provider;
    throw invalidValue("role", "provider", explainSignIn("provider.roleByGroup", { provider }));
  }
  if (role !== before.role || status === "disabled") await requireNotBreakGlass(tx, id);
  const after = { ...before, role, attributes: { ...before.attributes, ...call.attributes } };
  if (call.role !== undefined) await authorizeRole(tx, me, after);
  else await authorizeRank(tx, me, after);
  if (call.attributes !== undefined && id === me.id) {
    await requireRank(tx, me, { ...me, role: adminRole });
  }
  if (status === "active" && before.status === "invited") {
    throw invalidValue("status", "state", explain("user.earlyActive"));
  }
  const losesOwner = role !== "owner" || status === "disabled";
  if (before.role === "owner" && losesOwner) await requireOtherOwner(tx, id);
  if (status === "disabled") await deleteSessionsOf(tx, id);
  const isAnother = role !== before.role || status === "disabled";
  if (isAnother || (await hasRowScopeChanged(tx, before, after))) await voidLinks(tx, [id]);
  const isDisabled = status === "disabled" && before.status !== "disabled";
  const ended = isDisabled ? await endMadeBy(tx, id) : null;
  await recordChange(tx, me, before, call, ended);
  return status === "active" && before.status === "disabled" ? endedBefore(tx, id) : ended;
}

/** What disabling an account has ended, by its event. */
async function endedBefore(tx: Db, id: string): Promise<EndedAccess> {
  const { tokens, webhooks } = (await findDisabling(tx, id)) ?? {};
  return { tokens: Number(tokens ?? 0), webhooks: Number(webhooks ?? 0) };
}

/** Deletes the user with their sessions; their changes stay in the log under their id. */
export async function removeUser({ db, notifier }: Auth, me: Subject, id: string): Promise<void> {
  requireRight(me, "users");
  await db.transaction().execute(async (tx) => {
    const before = found(await lockUser(tx, id));
    await authorizeRank(tx, me, before);
    if (before.role === "owner") await requireOtherOwner(tx, id);
    await requireNotBreakGlass(tx, id);
    await recordEvent(tx, { kind: "user_removed", actor: me.id, subject: id });
    await deleteUser(tx, id);
  });
  notifier.changed("user", id);
}

/** Which properties change, and role or status from and to; values of attributes are left out. */
async function recordChange(
  db: Db,
  me: Subject,
  before: UserRow,
  call: PatchUserCall,
  ended: EndedAccess | null,
): Promise<void> {
  const { role, status } = call;
  const roles = role === undefined ? null : [before.role, role];
  const detail = {
    changed: Object.keys(call),
    ...(roles && {
      role: roles,
      roleName: await Promise.all(roles.map((id) => roleNameOf(db, id))),
    }),
    ...(status !== undefined && { status: [before.status, status] }),
    ...ended,
  };
  return recordEvent(db, { kind: "user_changed", actor: me.id, subject: before.id, detail });
}

/** What a role is called now: its event says that for good, also when the role was removed. */
async function roleNameOf(db: Db, id: string): Promise<string> {
  return (await findRole(db, id))?.name ?? id;
}

function describe(row: UserRow, me: Subject): UserInfo {
  const known = { id: row.id, name: row.name, colour: row.colour, status: row.status };
  if (!hasRight(me, "users") && row.id !== me.id) return known;
  const { email, role, attributes, role_provider: roleProvider } = row;
  const times = { lastSeen: row.last_seen, createdAt: row.created_at };
  return { ...known, email, role, roleProvider, attributes, ...times };
}

async function authorizeRole(
  db: Db,
  me: Subject,
  user: Pick<UserRow, "id" | "role" | "attributes">,
): Promise<void> {
  const role = isStorable(user.role) ? await findRole(db, user.role) : null;
  if (!role) throw invalidValue("role", "option", explain("user.noRole"));
  if (role.id === "owner" && me.role.id !== "owner") {
    throw new Refusal("forbidden", { role: role.id }, explain("user.makeOwner"));
  }
  await requireRank(db, me, { id: user.id, role, attributes: user.attributes });
}

function validateAttributes(attributes: PatchUserCall["attributes"]): void {
  if (isStorableJson(attributes ?? {})) return;
  throw invalidValue("attributes", "characters", explain("user.attributes"));
}

async function requireOtherOwner(db: Db, id: string): Promise<void> {
  if (await hasOtherOwner(db, id)) return;
  const fields = { role: { rule: "lastOwner", ...explain("user.lastOwner") } };
  throw new Refusal("validation_failed", { fields }, explain("user.lastOwner"));
}

function emailTaken(): Refusal {
  return new Refusal("duplicate", { field: "email" }, explain("user.emailTaken"));
}
