import { passkeyOptionsSchema, passkeySignInSchema } from "../../../shared/protocol/factors.ts";
import type { AppDeps } from "../app-deps.ts";
import { baseUrl } from "../base-url.ts";
import { callerOf } from "../caller-of.ts";
import { publicRoute, type Route } from "../route.ts";
import { sessionInfoSchema, signedIn } from "./session.ts";

/** Signing in by a passkey: a challenge for the browser, and its answer. */
export function passkeyDoorRoutes(deps: Pick<AppDeps, "auth" | "config" | "model">): Route[] {
  const { auth, config } = deps;
  return [
    publicRoute(
      {
        method: "post",
        path: "/session/passkey-challenge",
        summary: "What a browser needs to ask for a passkey. The same for everybody.",
        answer: passkeyOptionsSchema,
      },
      async ({ request }) => ({
        body: await auth.passkeyToUse({ origin: baseUrl(request, config.publicUrl) }),
      }),
    ),
    publicRoute(
      {
        method: "post",
        path: "/session/passkey",
        summary: "Sign in by a passkey. Opens a session in the browser's cookie.",
        body: passkeySignInSchema,
        answer: sessionInfoSchema,
      },
      async ({ body, request }, former) => {
        const site = { origin: baseUrl(request, config.publicUrl) };
        const token = await auth.signInByPasskey(body.response, site, callerOf(request));
        return signedIn(deps, token, former);
      },
    ),
  ];
}
