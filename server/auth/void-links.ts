import type { Db } from "../store/database.ts";
import { deleteInvitationsOf } from "../store/users/invitations.ts";
import { deleteResetsOf } from "../store/users/password-resets.ts";

/**
 * The links that were made for people are worth nothing any more: who made one could manage them as they
 * were, and perhaps not as they will be.
 */
export async function voidLinks(tx: Db, users: readonly string[]): Promise<void> {
  await deleteResetsOf(tx, users);
  await deleteInvitationsOf(tx, users);
}
