import type { Db } from "../store/database.ts";
import {
  findSession,
  type SessionLimits,
  type SessionRow,
  touchSession,
} from "../store/people/sessions.ts";
import { roleOrNothing } from "./find-role.ts";
import type { Identity } from "./identity.ts";
import type { Revocations } from "./revocations.ts";
import { hashToken } from "./tokens.ts";

/**
 * Turns a token into who is behind it. Every request and every socket handshake asks, so answers are
 * kept for a second; an answer that was asked for before a revocation is never kept after it.
 * A session token counts whether it came by cookie or as bearer; API tokens will be told apart here.
 */

const KEEP_MS = 1_000;
const KEEP_MAX_TOKENS = 20_000;

interface Kept {
  identity: Promise<Identity | null>;
  until: number;
}

/** Counts as activity of the person, unless told otherwise. */
export type Authenticate = (
  token: string,
  options?: { isActivity?: boolean },
) => Promise<Identity | null>;

export function createAuthenticate(deps: {
  db: Db;
  limits: SessionLimits;
  revocations: Revocations;
}): Authenticate {
  const kept = new Map<string, Kept>();
  deps.revocations.listen((revocation) => {
    if (revocation.kind === "session") kept.delete(revocation.session);
    else kept.clear();
  });

  return (token, { isActivity = true } = {}) => {
    const id = hashToken(token);
    const known = kept.get(id);
    if (known && known.until > Date.now()) return known.identity;
    const identity = look(id, isActivity);
    if (kept.size >= KEEP_MAX_TOKENS) kept.clear();
    kept.set(id, { identity, until: Date.now() + KEEP_MS });
    identity.catch(() => kept.delete(id));
    return identity;
  };

  async function look(id: string, isActivity: boolean): Promise<Identity | null> {
    const row = await findSession(deps.db, id, deps.limits);
    if (row?.touch && isActivity) await touchSession(deps.db, id);
    return row && toIdentity(row);
  }
}

function toIdentity(row: SessionRow): Identity {
  const { id, name, colour, email, attributes } = row;
  return {
    person: { id, name, colour, email },
    subject: { id, role: roleOrNothing(row.role, row.declared), attributes },
    actor: `user:${id}`,
    session: row.session,
    expires: row.expires,
  };
}
