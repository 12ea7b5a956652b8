import { builtInRoles, type Role } from "../../shared/policy/role.ts";
import type { Identity } from "../auth/identity.ts";
import type { Revocation } from "../auth/revocations.ts";
import { hashToken } from "../auth/tokens.ts";
import { type DisplayRow, findDisplayByToken } from "../store/displays/displays.ts";
import { programOf } from "./describe-display.ts";
import type { DisplayDeps } from "./display-deps.ts";

/**
 * Turns the credential of a display into who is behind it. It is looked for among displays only, as
 * a session's is among sessions only: neither opens the other's doors. Answers are kept for a second;
 * one that was asked for before a revocation is never kept after it.
 */

const KEEP_MS = 1_000;
const KEEP_MAX_TOKENS = 20_000;
/** A display is there until somebody revokes it. */
const NEVER = "9999-12-31T23:59:59Z";

/** The role without a grant: whatever else fails, it reads no record. */
const displayRole = builtInRoles.find(({ id }) => id === "display") as Role;

export interface DisplayAuthentication {
  authenticate: (token: string) => Promise<Identity | null>;
  onRevoked: (revocation: Revocation) => void;
}

export function createDisplayAuthentication({
  db,
  build,
}: Pick<DisplayDeps, "db" | "build">): DisplayAuthentication {
  const kept = new Map<string, { row: Promise<DisplayRow | null>; until: number }>();
  return {
    onRevoked(revocation) {
      if (revocation.kind === "display" || revocation.kind === "all") kept.clear();
    },
    async authenticate(token) {
      const row = await look(hashToken(token));
      return row && toIdentity(row, build());
    },
  };

  function look(hash: string): Promise<DisplayRow | null> {
    const known = kept.get(hash);
    if (known && known.until > Date.now()) return known.row;
    const row = findDisplayByToken(db, hash);
    if (kept.size >= KEEP_MAX_TOKENS) kept.clear();
    kept.set(hash, { row, until: Date.now() + KEEP_MS });
    row.catch(() => kept.delete(hash));
    return row;
  }
}

function toIdentity(row: DisplayRow, build: string): Identity {
  const { id, name } = row;
  return {
    person: { id: `display:${id}`, name, colour: "gray", email: "" },
    subject: { id: `display:${id}`, role: displayRole, attributes: {} },
    actor: `display:${id}`,
    session: null,
    expires: NEVER,
    display: programOf(row, build),
  };
}
