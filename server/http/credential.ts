import type { IncomingHttpHeaders } from "node:http";
import { isApiToken } from "../auth/tokens.ts";

/** The one place that reads the credential of a request, or of a socket's handshake. */

export const SESSION_COOKIE = "watchfloor_session";
/** The credential of a display. Another cookie, so that an operator can use both in one browser. */
export const DISPLAY_COOKIE = "watchfloor_display";
/** Identifies a browser in which somebody has signed in before. It grants nothing. */
export const DEVICE_COOKIE = "watchfloor_device";
/** The secret of a screen that shows a code and waits. */
export const PAIRING_COOKIE = "watchfloor_pairing";
/** Identifies a browser on its way to a provider and back. */
export const VISIT_COOKIE = "watchfloor_visit";

export interface Credential {
  token: string;
  /** A browser sends a cookie by itself, so it needs the same-origin check; a bearer does not. */
  by: "cookie" | "bearer";
}

const TOKEN_MAX = 200;

/**
 * The prefix of cookies on https. A browser then accepts it only from this host over https: neither a page of
 * a neighbouring host nor somebody on the network can plant a session.
 */
const HOST_PREFIX = "__Host-";

/** The credential of a request, `Authorization` first; null if there is none. An API token is never a cookie. */
export function readCredential(
  headers: IncomingHttpHeaders,
  { kind, publicUrl }: { kind: "person" | "display"; publicUrl: string | undefined },
): Credential | null {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  if (bearer) return { token: bearer.slice(0, TOKEN_MAX), by: "bearer" };
  const name = kind === "display" ? DISPLAY_COOKIE : SESSION_COOKIE;
  const token = readCookie(headers, name, publicUrl);
  return token && !isApiToken(token) ? { token, by: "cookie" } : null;
}

/** Whether the public address is https, as far as that is configured. */
export function isHttps(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith("https:") === true;
}

/**
 * The value of a cookie, bounded; null if there is none. That of https comes first, and if all is https, one
 * of the plain name is ignored.
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

/** A cookie to set; without a value it is deleted. Scripts never see any of ours. */
export interface CookieToSet {
  name: string;
  value: string | null;
  maxAgeMs: number;
  /** `Lax` sends it also after a link from elsewhere; `Strict` where no links lead. */
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
