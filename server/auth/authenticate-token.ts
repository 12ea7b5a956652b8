import { narrowRole } from "../../shared/policy/role.ts";
import type { Db } from "../store/database.ts";
import { findUsableToken, touchApiToken, type UsableTokenRow } from "../store/users/api-tokens.ts";
import { roleOrNoRights } from "./find-role.ts";
import type { Identity } from "./identity.ts";
import { recordOnce, requestOrigin } from "./security-log.ts";
import { ShortLivedCache } from "./short-lived-cache.ts";

/**
 * API tokens as identities. A token acts for its creator: `$me` and its row filters mean the creator, its rights are
 * those of its role within those of the creator at this moment, and its changes carry its own name.
 */

/** An expiry later than any clock will show, for tokens without one. */
const NEVER = "9999-12-31T23:59:59Z";
/** `last_used` is written at most this often. */
const TOUCH_MS = 60_000;
/** A use from the same address is recorded again after this time. */
const RECORD_USE_MS = 86_400_000;

/** A valid token of an active user, by its hash or its id; null if there is none. */
export async function findTokenIdentity(
  db: Db,
  by: { hash: string } | { id: string },
): Promise<Identity | null> {
  const row = await findUsableToken(db, by);
  return row && toIdentity(row);
}

function toIdentity(row: UsableTokenRow): Identity {
  const { id, name, colour, email, attributes, token, token_role: own } = row;
  const creatorRole = roleOrNoRights(row.role, row.declared);
  const role =
    own === null ? creatorRole : narrowRole(roleOrNoRights(own, row.token_declared), creatorRole);
  return {
    user: { id, name, colour, email },
    subject: { id, role, attributes },
    token: { id: token, name: row.token_name },
    actor: `token:${token}`,
    session: null,
    holder: `token ${token} ${row.token_rights} ${row.rights}`,
    expires: row.expires ?? NEVER,
  };
}

/** Records when tokens are used: the time, and a security event for the first use of a day from an address. */
export function tokenUses(db: Db): (identity: Identity) => Promise<void> {
  const recent = new ShortLivedCache<void>(TOUCH_MS);
  return async ({ subject, token }) => {
    if (!token) return;
    const ip = requestOrigin.getStore()?.ip;
    await recent.get(`${token.id} ${ip}`, async () => {
      await touchApiToken(db, token.id, TOUCH_MS);
      if (ip === undefined) return;
      const event = { kind: "token_used", actor: subject.id, subject: token.id } as const;
      await recordOnce(db, { ...event, subjectName: token.name }, RECORD_USE_MS);
    });
  };
}
