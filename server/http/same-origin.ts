import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a request comes from our own pages. Uses headers that browsers add and scripts can't change:
 * `Sec-Fetch-Site`, or if a browser leaves it out (plain http, old ones) `Origin` against the requested host.
 * A request with neither header is not a browser's cross-site request (they all send `Origin` with unsafe
 * methods and with WebSocket handshakes) and carries no user's cookie.
 */
export function isSameOrigin(
  headers: IncomingHttpHeaders,
  { publicUrl, behindProxy }: { publicUrl?: string | undefined; behindProxy: boolean },
): boolean {
  const { origin } = headers;
  if (origin !== undefined && publicUrl && origin === new URL(publicUrl).origin) return true;
  const site = headers["sec-fetch-site"];
  if (typeof site === "string") return site === "same-origin" || site === "none";
  if (origin === undefined) return true;
  const forwarded = behindProxy ? firstOf(headers["x-forwarded-host"]) : undefined;
  return hostOf(origin) === (forwarded ?? headers.host)?.toLowerCase();
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

function firstOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  return text?.split(",")[0]?.trim();
}
