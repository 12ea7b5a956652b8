import type { IncomingHttpHeaders } from "node:http";

/** The one place where a request, or a socket's handshake, says who it comes from. */

export const SESSION_COOKIE = "watchfloor_session";
/** The credential of a display. Another cookie, so that an operator can look at both in one browser. */
export const DISPLAY_COOKIE = "watchfloor_display";
/** The secret of a screen that shows a code and waits. */
export const PAIRING_COOKIE = "watchfloor_pairing";

export interface Credential {
  token: string;
  /** A cookie is sent by the browser unasked, so it needs the same-origin check; a bearer does not. */
  by: "cookie" | "bearer";
}

const TOKEN_MAX = 200;

/** The credential of a request, `Authorization` first; null when there is none. */
export function readCredential(
  headers: IncomingHttpHeaders,
  kind: "person" | "display" = "person",
): Credential | null {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  if (bearer) return { token: bearer.slice(0, TOKEN_MAX), by: "bearer" };
  const token = readCookie(headers, kind === "display" ? DISPLAY_COOKIE : SESSION_COOKIE);
  return token ? { token, by: "cookie" } : null;
}

/** What a cookie holds, bounded; null when there is none. */
export function readCookie(headers: IncomingHttpHeaders, name: string): string | null {
  for (const part of (headers.cookie ?? "").split(";")) {
    const [key, value] = part.split("=", 2);
    if (key?.trim() === name) return value?.trim().slice(0, TOKEN_MAX) || null;
  }
  return null;
}

/** A cookie to set; without a value it is taken away. Scripts never see any of ours. */
export interface CookieToSet {
  name: string;
  value: string | null;
  maxAgeMs: number;
  path?: string;
  /** `Lax` lets a link from elsewhere arrive signed in; `Strict` where nobody comes by a link. */
  sameSite: "Lax" | "Strict";
}

/** The `Set-Cookie` line. */
export function cookieLine(cookie: CookieToSet, secure: boolean): string {
  const { name, value, path = "/", sameSite } = cookie;
  const age = value ? Math.floor(cookie.maxAgeMs / 1_000) : 0;
  const flags = `Path=${path}; Max-Age=${age}; HttpOnly; SameSite=${sameSite}`;
  return `${name}=${value ?? ""}; ${flags}${secure ? "; Secure" : ""}`;
}
