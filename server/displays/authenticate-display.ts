import { builtInRoles, type Role } from "../../shared/policy/role.ts";
import type { DisplayProgram } from "../../shared/protocol/signals.ts";
import { roleOrNoRights } from "../auth/find-role.ts";
import type { Identity } from "../auth/identity.ts";
import { ShortLivedCache } from "../auth/short-lived-cache.ts";
import { hashToken } from "../auth/tokens.ts";
import type { ChangeNotifier } from "../store/change-notifier.ts";
import type { Db } from "../store/database.ts";
import { type DisplayRow, findDisplay, findDisplayByToken } from "../store/displays/displays.ts";
import { programOf } from "./describe-display.ts";

/**
 * Turns the credential of a display into an identity. It is looked up among displays only, as a session's is
 * among sessions only: neither gives access to the other's routes.
 */

/** A display does not expire until it is revoked. */
const NEVER = "9999-12-31T23:59:59Z";

/** A role without grants: whatever else fails, it reads no record. */
const displayRole = builtInRoles.find(({ id }) => id === "display") as Role;

export function createDisplayAuthentication({
  db,
  build,
  notifier,
}: {
  db: Db;
  build: () => string;
  notifier: ChangeNotifier;
}) {
  const cache = new ShortLivedCache<DisplayRow | null>();
  notifier.on(["display", "role", "model"], () => cache.clear());
  const program = (row: DisplayRow) => programOf(row, build());
  return {
    /** A paired display by id, read from the database; null if there is none. */
    async identify(id: string): Promise<Identity | null> {
      const row = await findDisplay(db, id);
      return row?.has_token && !row.revoked_at ? toIdentity(row, program(row)) : null;
    },
    async authenticate(token: string): Promise<Identity | null> {
      const hash = hashToken(token);
      const row = await cache.get(hash, () => findDisplayByToken(db, hash));
      return row && toIdentity(row, program(row));
    },
  };
}

function toIdentity(row: DisplayRow, display: DisplayProgram): Identity {
  const { id, name, owner, role, declared, attributes } = row;
  return {
    user: { id: `display:${id}`, name, colour: "gray", email: "" },
    subject: { id: `display:${id}`, role: displayRole, attributes: {} },
    actor: `display:${id}`,
    session: null,
    holder: `display ${id}`,
    expires: NEVER,
    display,
    ...(owner !== null &&
      role !== null && {
        bound: { id: owner, role: roleOrNoRights(role, declared), attributes },
      }),
  };
}
