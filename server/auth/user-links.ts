import { randomUUID } from "node:crypto";
import type { Db } from "../store/database.ts";
import { enterMail } from "../store/deliveries.ts";
import { deleteLinksOf, findMailedLink, type LinkKind, replaceLink } from "../store/users/links.ts";
import type { Auth } from "./create-auth.ts";
import type { SecretBox } from "./secret-box.ts";
import { hashToken, newToken } from "./tokens.ts";

/** A one-time token for a link. */
export interface IssuedLink {
  token: string;
  expires: string;
  /** Whether the link is also mailed to the user. */
  mailed: boolean;
}

/** A one-time token for the link by which a user chooses a password. It replaces an earlier one. With a `mailBox` it is mailed, too. */
export async function issueLink(
  tx: Db,
  kind: LinkKind,
  user: string,
  ttlMs: number,
  mailBox: SecretBox | null,
): Promise<IssuedLink> {
  const token = newToken();
  const secret = mailBox?.encrypt(token, linkOwner(kind, user)) ?? null;
  const expires = await replaceLink(tx, kind, { id: hashToken(token), user, ttlMs, secret });
  if (mailBox) await enterMail(tx, { id: `mail_${randomUUID()}`, user, type: kind });
  return { token, expires, mailed: mailBox !== null };
}

/** The token of a user's link that waits to be mailed; null if it is used, expired, or can't be decrypted. */
export async function readMailedLink(
  { db, limits, box }: Pick<Auth, "db" | "limits" | "box">,
  kind: LinkKind,
  user: string,
): Promise<{ token: string; expires: string } | null> {
  const isInvitation = kind === "invitation";
  const ttlMs = isInvitation ? limits.INVITATION_TTL_MS : limits.PASSWORD_RESET_TTL_MS;
  const status = isInvitation ? "invited" : "active";
  const stored = await findMailedLink(db, kind, { user, ttlMs, status });
  const token = stored && box.decrypt(stored.secret, linkOwner(kind, user));
  return token ? { token, expires: stored.expires } : null;
}

/** Binds an encrypted token to its user. */
const linkOwner = (kind: LinkKind, user: string) => `${kind}:${user}`;

/** Invalidates users' one-time links: their author could manage the users before, and perhaps not now. */
export async function voidLinks(tx: Db, users: readonly string[]): Promise<void> {
  await deleteLinksOf(tx, "password_reset", users);
  await deleteLinksOf(tx, "invitation", users);
}
