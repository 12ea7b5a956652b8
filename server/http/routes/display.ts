import { z } from "zod";
import {
  displayProgramSchema,
  displayReportSchema,
  pairingSchema,
  pairingStateSchema,
} from "../../../shared/protocol/displays.ts";
import type { AppDeps } from "../app-deps.ts";
import { type CookieToSet, DISPLAY_COOKIE, PAIRING_COOKIE, readCookie } from "../credential.ts";
import { displayRoute, publicRoute, type Route } from "../route.ts";

type Deps = Pick<AppDeps, "displays" | "config">;

/** What browsers keep a cookie for at most; it is set anew whenever the player starts. */
const CREDENTIAL_KEPT_MS = 34_560_000_000;

/** The few paths of the screen itself. All else is closed to the credential of a display. */
export function displayRoutes(deps: Deps): Route[] {
  return [...pairingRoutes(deps), ...playerRoutes(deps)];
}

function pairingRoutes({ displays, config }: Deps): Route[] {
  return [
    publicRoute(
      {
        method: "post",
        path: "/display/pairing",
        summary: "A code for a screen to show until somebody takes it up.",
        answer: pairingSchema,
        status: 201,
      },
      async ({ request }) => {
        const former = readCookie(request.headers, PAIRING_COOKIE, config.publicUrl);
        const { pairing, secret } = await displays.pairing.begin(request.ip ?? "", former);
        const cookies = [pairingCookie(secret, config.limits.PAIRING_TTL_MS)];
        return { status: 201, body: pairing, cookies };
      },
    ),
    publicRoute(
      {
        method: "get",
        path: "/display/pairing",
        summary:
          "Whether somebody has taken this screen up; then the answer brings its credential.",
        answer: pairingStateSchema,
      },
      async ({ request }) => {
        const secret = readCookie(request.headers, PAIRING_COOKIE, config.publicUrl);
        const { token, ...state } = await displays.pairing.look(secret);
        return { body: state, cookies: token ? [credentialCookie(token)] : [] };
      },
    ),
    publicRoute(
      {
        method: "get",
        path: "/display/open/{link}",
        summary: "Make this browser the screen of a display by a one-time link.",
        params: z.object({ link: z.string().max(200) }),
        status: 303,
      },
      async ({ params }) => {
        const token = await displays.takeLink(params.link);
        const cookies = token ? [credentialCookie(token)] : [];
        return { status: 303, headers: { Location: "/display" }, cookies };
      },
    ),
  ];
}

function playerRoutes({ displays, config }: Deps): Route[] {
  return [
    displayRoute(
      {
        method: "get",
        path: "/display",
        summary: "For a display: what it is to show.",
        answer: displayProgramSchema,
      },
      async (identity, { request }) => {
        const token = readCookie(request.headers, DISPLAY_COOKIE, config.publicUrl);
        return {
          body: await displays.report(identity, null),
          cookies: [pairingCookie(null), ...(token ? [credentialCookie(token)] : [])],
        };
      },
    ),
    displayRoute(
      {
        method: "post",
        path: "/display/report",
        summary: "For a display: how it is doing; the answer says what it is to show.",
        body: displayReportSchema,
        answer: displayProgramSchema,
      },
      async (identity, { body }) => ({ body: await displays.report(identity, body) }),
    ),
  ];
}

function credentialCookie(token: string): CookieToSet {
  return {
    name: DISPLAY_COOKIE,
    value: token,
    maxAgeMs: CREDENTIAL_KEPT_MS,
    sameSite: "Strict",
  };
}

function pairingCookie(secret: string | null, maxAgeMs = 0): CookieToSet {
  return { name: PAIRING_COOKIE, value: secret, maxAgeMs, sameSite: "Strict" };
}
