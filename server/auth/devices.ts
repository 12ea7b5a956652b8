import { insertKnownDevice, touchKnownDevice } from "../store/users/known-devices.ts";
import type { Auth } from "./create-auth.ts";
import { hashToken, newToken } from "./tokens.ts";

/** A device is forgotten when the user has not signed in from it for this long: browsers keep no cookie for longer. */
export const KNOWN_DEVICE_TTL_MS = 34_560_000_000;

/**
 * Browsers from which a user has signed in before, with all that this takes: a second factor, where they have one or their role requires it. They are
 * known by a cookie of their own. Such a browser is counted separately from unknown ones when it signs in (sign-in-throttle.ts); it
 * proves nothing else.
 */

/** The key of a user's device; computed the same way for a missing user, so that the time reveals nothing. */
const keyOf = (user: string | undefined, token: string) =>
  hashToken(`device ${user ?? "nobody"} ${token}`);

/** The device's key if the user has signed in from it before, else null. */
export async function knownDevice(
  { db }: Auth,
  user: string | undefined,
  token: string | null,
): Promise<string | null> {
  if (token === null) return null;
  const key = keyOf(user, token);
  return (await touchKnownDevice(db, key, KNOWN_DEVICE_TTL_MS)) ? key : null;
}

/** Remembers the browser of a user who has just signed in. Returns the token for its cookie. */
export async function rememberDevice(
  auth: Auth,
  user: string,
  token: string | null,
): Promise<string> {
  if (token !== null && (await knownDevice(auth, user, token))) return token;
  // A token that the browser had before may have been planted there.
  const fresh = newToken();
  await insertKnownDevice(auth.db, keyOf(user, fresh), user);
  return fresh;
}
