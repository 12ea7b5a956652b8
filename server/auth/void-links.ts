import type { Db } from "../store/database.ts";
import { deleteInvitationsOf } from "../store/users/invitations.ts";
import { deleteResetsOf } from "../store/users/password-resets.ts";

/** Invalidates users' one-time links: their author could manage the users before, and perhaps not now. */
export async function voidLinks(tx: Db, users: readonly string[]): Promise<void> {
  await deleteResetsOf(tx, users);
  await deleteInvitationsOf(tx, users);
}
