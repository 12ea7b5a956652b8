import type { IncomingHttpHeaders } from "node:http";

/** The one place where a request, or a socket's handshake, says who it comes from. */

export const SESSION_COOKIE = "watchfloor_session";
/** The credential of a display. Another cookie, so that an operator can look at both in one browser. */
export const DISPLAY_COOKIE = "watchfloor_display";
/** What a browser is known by where somebody has signed in before. It opens nothing. */
export const DEVICE_COOKIE = "watchfloor_device";
/** The secret of a screen that shows a code and waits. */
export const PAIRING_COOKIE = "watchfloor_pairing";

export interface Credential {
  token: string;
  /** A cookie is sent by the browser unasked, so it needs the same-origin check; a bearer does not. */
  by: "cookie" | "bearer";
}

const TOKEN_MAX = 200;

/**
 * On https a cookie is called so. A browser then takes it from this very host by https alone: neither a
 * page of a neighbouring host nor somebody on the line can put a session of theirs in its place.
 */
const HOST_PREFIX = "__Host-";

/** The credential of a request, `Authorization` first; null when there is none. */
export function readCredential(
  headers: IncomingHttpHeaders,
  { kind, publicUrl }: { kind: "person" | "display"; publicUrl: string | undefined },
): Credential | null {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  if (bearer) return { token: bearer.slice(0, TOKEN_MAX), by: "bearer" };
  const name = kind === "display" ? DISPLAY_COOKIE : SESSION_COOKIE;
  const token = readCookie(headers, name, publicUrl);
  return token ? { token, by: "cookie" } : null;
}

/** Whether people reach us by https, as far as that is configured. */
export function isHttps(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith("https:") === true;
}

/**
 * What a cookie holds, bounded; null when there is none. That of https comes first, and where all is https, one
 * of the plain name is none of ours.
 */
export function readCookie(
  headers: IncomingHttpHeaders,
  name: string,
  publicUrl: string | undefined,
): string | null {
  const ours = cookieNamed(headers, HOST_PREFIX + name);
  return ours ?? (isHttps(publicUrl) ? null : cookieNamed(headers, name));
}

function cookieNamed(headers: IncomingHttpHeaders, name: string): string | null {
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
  /** `Lax` lets a link from elsewhere arrive signed in; `Strict` where nobody comes by a link. */
  sameSite: "Lax" | "Strict";
}

/** The `Set-Cookie` line. */
export function cookieLine(cookie: CookieToSet, secure: boolean): string {
  const { name, value, sameSite } = cookie;
  const age = value ? Math.floor(cookie.maxAgeMs / 1_000) : 0;
  const flags = `Path=/; Max-Age=${age}; HttpOnly; SameSite=${sameSite}`;
  const prefix = secure ? HOST_PREFIX : "";
  return `${prefix}${name}=${value ?? ""}; ${flags}${secure ? "; Secure" : ""}`;
}
