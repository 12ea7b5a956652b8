import type { displayRecordRoutes, displayRoutes } from "../../../shared/contract/displays.ts";
import type { AppDeps } from "../app-deps.ts";
import { type CookieToSet, DISPLAY_COOKIE, PAIRING_COOKIE, readCookie } from "../credential.ts";
import { created, type Handlers, listed, Reply } from "../handlers.ts";

/** The longest that browsers store a cookie; it is set again whenever the player starts. */
const CREDENTIAL_COOKIE_MS = 34_560_000_000;

export function displayRecordHandlers({
  displays,
}: Pick<AppDeps, "displays">): Handlers<typeof displayRecordRoutes> {
  return {
    "GET /displays": async ({ identity }) => listed(await displays.list(identity.subject)),
    "POST /displays": async ({ identity, body }) =>
      created("GET /displays/{id}", await displays.claim(identity.subject, body)),
    "GET /displays/{id}": ({ identity, params }) => displays.one(identity.subject, params.id),
    "PATCH /displays/{id}": ({ identity, params, body }) =>
      displays.change(identity.subject, params.id, body),
    "DELETE /displays/{id}": ({ identity, params }) => displays.remove(identity.subject, params.id),
    "POST /displays/{id}/identify": ({ identity, params }) =>
      displays.order(identity.subject, params.id, "identify"),
    "POST /displays/{id}/reload": ({ identity, params }) =>
      displays.order(identity.subject, params.id, "reload"),
    "POST /displays/{id}/revoke": ({ identity, params }) =>
      displays.order(identity.subject, params.id, "revoke"),
    "POST /displays/{id}/pair": ({ identity, params, body }) =>
      displays.pairAgain(identity.subject, params.id, body.code),
  };
}

export function displayHandlers({
  displays,
  config,
}: Pick<AppDeps, "displays" | "config">): Handlers<typeof displayRoutes> {
  const { publicUrl, limits } = config;
  return {
    "POST /display/pairing": async ({ request }) => {
      const former = readCookie(request.headers, PAIRING_COOKIE, publicUrl);
      const { pairing, secret } = await displays.pairing.begin(request.ip ?? "", former);
      return new Reply(pairing, { cookies: [pairingCookie(secret, limits.PAIRING_TTL_MS)] });
    },
    "GET /display/pairing": async ({ request }) => {
      const secret = readCookie(request.headers, PAIRING_COOKIE, publicUrl);
      const { token, ...state } = await displays.pairing.check(secret);
      return new Reply(state, { cookies: credentialCookies(token) });
    },
    "GET /display/open/{link}": async ({ params }) => {
      const cookies = credentialCookies(await displays.takeLink(params.link));
      return new Reply(undefined, { headers: { Location: "/display" }, cookies });
    },
    "GET /display": async ({ identity, request }) => {
      const cookies = credentialCookies(readCookie(request.headers, DISPLAY_COOKIE, publicUrl));
      const program = await displays.report(identity, null);
      return new Reply(program, { cookies: [pairingCookie(null), ...cookies] });
    },
    "POST /display/report": ({ identity, body }) => displays.report(identity, body),
  };
}

function credentialCookies(token: string | null | undefined): CookieToSet[] {
  if (!token) return [];
  const maxAgeMs = CREDENTIAL_COOKIE_MS;
  return [{ name: DISPLAY_COOKIE, value: token, maxAgeMs, sameSite: "Strict" }];
}

function pairingCookie(secret: string | null, maxAgeMs = 0): CookieToSet {
  return { name: PAIRING_COOKIE, value: secret, maxAgeMs, sameSite: "Strict" };
}
