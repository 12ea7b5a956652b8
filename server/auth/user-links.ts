import type { Db } from "../store/database.ts";
import { deleteLinksOf, type LinkKind, replaceLink } from "../store/users/links.ts";
import { hashToken, newToken } from "./tokens.ts";

/** A one-time token for the link by which a user chooses a password. It replaces an earlier one. */
export async function issueLink(
  tx: Db,
  kind: LinkKind,
  user: string,
  ttlMs: number,
): Promise<{ token: string; expires: string }> {
  const token = newToken();
  return { token, expires: await replaceLink(tx, kind, { id: hashToken(token), user, ttlMs }) };
}

/** Invalidates users' one-time links: their author could manage the users before, and perhaps not now. */
export async function voidLinks(tx: Db, users: readonly string[]): Promise<void> {
  await deleteLinksOf(tx, "password_reset", users);
  await deleteLinksOf(tx, "invitation", users);
}
