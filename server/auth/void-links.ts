import type { Db } from "../store/database.ts";
import { deleteLinksOf } from "../store/users/links.ts";

/** Invalidates users' one-time links: their author could manage the users before, and perhaps not now. */
export async function voidLinks(tx: Db, users: readonly string[]): Promise<void> {
  await deleteLinksOf(tx, "password_reset", users);
  await deleteLinksOf(tx, "invitation", users);
}
