import type { displayRecordRoutes, displayRoutes } from "../../../shared/protocol/displays.ts";
import { reportDisplay, takeDisplayLink } from "../../displays/create-displays.ts";
import {
  allDisplays,
  changeDisplay,
  claimDisplay,
  oneDisplay,
  orderDisplay,
  pairAgain,
  removeDisplay,
  takeOverDisplay,
} from "../../displays/manage.ts";
import { beginPairing, checkPairing, PAIRING_TTL_MS } from "../../displays/pairing.ts";
import type { AppDeps } from "../app-deps.ts";
import { type CookieToSet, DISPLAY_COOKIE, PAIRING_COOKIE, readCookie } from "../credential.ts";
import { created, type Handlers, listed, Reply } from "../handlers.ts";

/** The longest that browsers store a cookie; it is set again whenever the player starts. */
const CREDENTIAL_COOKIE_MS = 34_560_000_000;

export function displayRecordHandlers({ displays }: AppDeps): Handlers<typeof displayRecordRoutes> {
  return {
    "GET /displays": async ({ me }) => listed(await allDisplays(displays, me)),
    "POST /displays": async ({ me, body }) =>
      created("GET /displays/{id}", await claimDisplay(displays, me, body)),
    "GET /displays/{id}": ({ me, params }) => oneDisplay(displays, me, params.id),
    "PATCH /displays/{id}": ({ me, params, body }) => changeDisplay(displays, me, params.id, body),
    "DELETE /displays/{id}": ({ me, params }) => removeDisplay(displays, me, params.id),
    "POST /displays/{id}/identify": ({ me, params }) =>
      orderDisplay(displays, me, params.id, "identify"),
    "POST /displays/{id}/reload": ({ me, params }) =>
      orderDisplay(displays, me, params.id, "reload"),
    "POST /displays/{id}/take-over": ({ me, params }) => takeOverDisplay(displays, me, params.id),
    "POST /displays/{id}/revoke": ({ me, params }) =>
      orderDisplay(displays, me, params.id, "revoke"),
    "POST /displays/{id}/pair": ({ me, params, body }) =>
      pairAgain(displays, me, params.id, body.code),
  };
}

export function displayHandlers({ displays, config }: AppDeps): Handlers<typeof displayRoutes> {
  const { publicUrl } = config;
  return {
    "POST /display/pairing": async ({ request }) => {
      const former = readCookie(request.headers, PAIRING_COOKIE, publicUrl);
      const { pairing, secret } = await beginPairing(displays, request.ip ?? "", former);
      return new Reply(pairing, { cookies: [pairingCookie(secret, PAIRING_TTL_MS)] });
    },
    "GET /display/pairing": async ({ request }) => {
      const secret = readCookie(request.headers, PAIRING_COOKIE, publicUrl);
      const { token, ...state } = await checkPairing(displays, secret);
      return new Reply(state, { cookies: credentialCookies(token) });
    },
    "GET /display/open/{link}": async ({ params }) => {
      const cookies = credentialCookies(await takeDisplayLink(displays, params.link));
      return new Reply(undefined, { headers: { Location: "/display" }, cookies });
    },
    "GET /display": async ({ identity, request }) => {
      const cookies = credentialCookies(readCookie(request.headers, DISPLAY_COOKIE, publicUrl));
      const program = await reportDisplay(displays, identity, null);
      return new Reply(program, { cookies: [pairingCookie(null), ...cookies] });
    },
    "POST /display/report": ({ identity, body }) => reportDisplay(displays, identity, body),
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
