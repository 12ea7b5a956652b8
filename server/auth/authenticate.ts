import type { AdministrativeRight } from "../../shared/policy/role.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { authorOf } from "../store/author.ts";
import type { ChangeNotifier } from "../store/change-notifier.ts";
import type { Db } from "../store/database.ts";
import {
  type ActiveUserRow,
  findActiveUser,
  findActiveUsers,
  findSession,
  type SessionLimits,
  type SessionRow,
  touchSession,
} from "../store/users/sessions.ts";
import { findTokenIdentity, tokenUses } from "./authenticate-token.ts";
import { roleOrNoRights } from "./find-role.ts";
import type { Identity } from "./identity.ts";
import { asksAnew } from "./provider-client.ts";
import { requireRight } from "./require-right.ts";
import { ShortLivedCache } from "./short-lived-cache.ts";
import { hashToken, isApiToken } from "./tokens.ts";

/**
 * Counts as activity of the user by default. A session that lacks a second factor is nobody's, unless the caller says that it is meant
 * `withoutFactor`, too.
 */
export type Authenticate = (
  token: string,
  options?: { isActivity?: boolean; withoutFactor?: boolean },
) => Promise<Identity | null>;

/** Turns the token of a session, by cookie or as bearer, or an API token into an identity. */
export function createAuthenticate(deps: {
  db: Db;
  limits: SessionLimits;
  notifier: ChangeNotifier;
}): Authenticate {
  const cache = new ShortLivedCache<Identity | null>();
  deps.notifier.on("session", ({ id }) => (id === null ? cache.clear() : cache.delete(id)));
  // Roles follow the names of the model, in the transaction that publishes it.
  deps.notifier.on(["user", "role", "token", "model"], () => cache.clear());

  const noteUse = tokenUses(deps.db);

  return async (token, { isActivity = true, withoutFactor = false } = {}) => {
    const id = hashToken(token);
    if (!isApiToken(token)) {
      const identity = await cache.get(id, () => loadIdentity(id, isActivity));
      return identity?.lacksFactor && !withoutFactor ? null : identity;
    }
    const identity = await cache.get(id, () => findTokenIdentity(deps.db, { hash: id }));
    if (!identity || Date.parse(identity.expires) <= Date.now()) return null;
    if (isActivity) await noteUse(identity);
    return identity;
  };

  async function loadIdentity(id: string, isActivity: boolean): Promise<Identity | null> {
    const row = await findSession(deps.db, id, deps.limits);
    if (row?.touch && isActivity) await touchSession(deps.db, id);
    if (!row) return null;
    const identity = { ...toIdentity(row), ...providerOf(row) };
    return row.lacks_factor ? withoutRights(identity) : identity;
  }
}

/** Whoever forgets to ask finds no right, either. */
function withoutRights({ subject, holder, ...identity }: Identity): Identity {
  const role = { ...subject.role, rights: [], grants: {} };
  return {
    ...identity,
    subject: { ...subject, role },
    holder: `${holder} lacks factor`,
    lacksFactor: true,
  };
}

function providerOf({
  provider: id,
  provider_name: name,
  issuer,
}: SessionRow): Pick<Identity, "provider"> {
  if (id === null) return {};
  return { provider: { id, name: name ?? id, confirms: asksAnew(issuer) } };
}

/** An active user or a valid API token by id, without a credential: for work that continues on their behalf. */
export async function identify(
  db: Db,
  { kind, id }: { kind: string; id: string },
): Promise<Identity | null> {
  if (kind === "token") return findTokenIdentity(db, { id });
  const row = await findActiveUser(db, id);
  return row && toIdentity({ ...row, session: null, expires: new Date().toISOString() });
}

/** Of these users the active ones, by id, likewise. */
export async function identifyUsers(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Identity>> {
  if (ids.length === 0) return new Map();
  const rows = await findActiveUsers(db, ids);
  const expires = new Date().toISOString();
  return new Map(rows.map((row) => [row.id, toIdentity({ ...row, session: null, expires })]));
}

/**
 * The author with the rights of now. Refuses who is not active any more, or has lost the right. For the transaction that writes what took long to prepare:
 * they may have been disabled meanwhile.
 */
export async function authorizeAgain(
  tx: Db,
  { actor }: Identity,
  right: AdministrativeRight,
): Promise<Identity> {
  const current = await identify(tx, authorOf(actor, null));
  if (!current) throw new Refusal("session_ended");
  requireRight(current.subject, right);
  return current;
}

function toIdentity(row: ActiveUserRow & { session: string | null; expires: string }): Identity {
  const { id, name, colour, email, attributes } = row;
  return {
    user: { id, name, colour, email },
    subject: { id, role: roleOrNoRights(row.role, row.declared), attributes },
    actor: `user:${id}`,
    session: row.session,
    holder: `${row.session} ${row.rights}`,
    expires: row.expires,
  };
}
