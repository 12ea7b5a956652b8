import { randomUUID } from "node:crypto";
import { type Explanation, explain } from "../../shared/error-texts/explain.ts";
import { isStorable } from "../../shared/filter/storable.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import {
  type ApiTokenInfo,
  type CreateApiTokenCall,
  type CreatedApiToken,
  TOKEN_DEFAULT_DAYS,
} from "../../shared/protocol/api-tokens.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { Db } from "../store/database.ts";
import {
  type ApiTokenRow,
  countApiTokens,
  findApiToken,
  insertApiToken,
  listApiTokens,
  renameApiToken,
  revokeApiToken,
} from "../store/users/api-tokens.ts";
import { holdActive } from "../store/users/users.ts";
import type { Auth } from "./create-auth.ts";
import { findRole, roleOrNoRights } from "./find-role.ts";
import { hasRight } from "./require-right.ts";
import { recordEvent } from "./security-log.ts";
import { API_TOKEN_PREFIX_LENGTH, hashToken, newApiToken } from "./tokens.ts";

const DAY_MS = 86_400_000;

/**
 * Manages API tokens: everybody's own, and with the right `tokens` those of others. The router lets only signed-in users
 * in, so no token creates, renames or revokes another.
 */

/** Those that the caller may see, newest first. */
export async function allTokens({ db }: Auth, me: Subject): Promise<ApiTokenInfo[]> {
  return (await listApiTokens(db, hasRight(me, "tokens") ? null : me.id)).map(describe);
}

/** One of those. */
export async function oneToken({ db }: Auth, me: Subject, id: string): Promise<ApiTokenInfo> {
  return describe(await visibleToken(db, me, id));
}

/** Creates a token of the caller's; the secret is in the answer and stored nowhere. */
export async function addToken(
  auth: Auth,
  me: Subject,
  call: CreateApiTokenCall,
): Promise<CreatedApiToken> {
  const { db, limits } = auth;
  const { name } = call;
  const role = call.role ?? null;
  const { expiresAt = new Date(Date.now() + TOKEN_DEFAULT_DAYS * DAY_MS).toISOString() } = call;
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
    throw invalid("expiresAt", "range", explain("token.expiryPassed"));
  }
  const token = newApiToken();
  const id = randomUUID();
  const prefix = token.slice(0, API_TOKEN_PREFIX_LENGTH);
  const row = { id, name, hash: hashToken(token), prefix, role, expires_at: expiresAt };
  await db.transaction().execute(async (tx) => {
    if (!(await holdActive(tx, me.id))) throw new Refusal("session_ended");
    if (role !== null && !(isStorable(role) && (await findRole(tx, role)))) {
      throw invalid("role", "option", explain("user.noRole"));
    }
    const limit = limits.TOKENS_PER_USER;
    if ((await countApiTokens(tx, me.id)) >= limit) {
      throw new Refusal("too_large", { limit }, explain("token.tooMany", { limit }));
    }
    await insertApiToken(tx, { ...row, created_by: me.id });
    await recordToken(tx, me, "token_created", row, { prefix, role, expires: expiresAt });
  });
  return { ...(await oneToken(auth, me, id)), token };
}

/** Renames a token, also in the changes that it has made. */
export async function renameToken(
  { db, notifier }: Auth,
  me: Subject,
  id: string,
  name: string,
): Promise<ApiTokenInfo> {
  const row = await db.transaction().execute(async (tx) => {
    const before = await visibleToken(tx, me, id);
    if (!(await renameApiToken(tx, id, name))) throw new Refusal("not_found");
    await recordToken(tx, me, "token_renamed", { id, name }, { before: before.name });
    return visibleToken(tx, me, id);
  });
  notifier.changed("token", id);
  return describe(row);
}

/** Revokes a token: every call with it is refused, and its connections are closed. */
export async function removeToken({ db, notifier }: Auth, me: Subject, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const token = await visibleToken(tx, me, id);
    if (!(await revokeApiToken(tx, id))) throw new Refusal("not_found");
    await recordToken(tx, me, "token_revoked", token, { prefix: token.prefix });
  });
  notifier.changed("token", id);
}

async function visibleToken(db: Db, me: Subject, id: string): Promise<ApiTokenRow> {
  const row = isStorable(id) ? await findApiToken(db, id) : null;
  if (!row || (row.created_by !== me.id && !hasRight(me, "tokens"))) throw new Refusal("not_found");
  return row;
}

function recordToken(
  db: Db,
  me: Subject,
  kind: "token_created" | "token_renamed" | "token_revoked",
  { id, name }: { id: string; name: string },
  detail: Record<string, string | null>,
): Promise<void> {
  return recordEvent(db, { kind, actor: me.id, subject: id, subjectName: name, detail });
}

function describe(row: ApiTokenRow): ApiTokenInfo {
  const { id, name, prefix, role, declared } = row;
  return {
    id,
    name,
    prefix,
    creator: { id: row.created_by, name: row.creator_name },
    role,
    roleName: role === null ? null : roleOrNoRights(role, declared).name,
    state: stateOf(row),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsed: row.last_used,
  };
}

function stateOf(row: ApiTokenRow): ApiTokenInfo["state"] {
  if (row.is_expired) return "expired";
  if (!row.creator_active) return "suspended";
  return row.is_paused ? "paused" : "active";
}

function invalid(field: string, rule: string, explanation: Explanation): Refusal {
  const fields = { [field]: { rule, ...explanation } };
  return new Refusal("validation_failed", { fields }, explanation);
}
