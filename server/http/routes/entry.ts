import type { entryRoutes } from "../../../shared/protocol/session.ts";
import { readInvitation, redeemInvitation } from "../../auth/invitations.ts";
import { readReset, resetPassword } from "../../auth/passwords.ts";
import { setUp, setupNeeded } from "../../auth/setup.ts";
import { signOut, startSession } from "../../auth/sign-in.ts";
import type { AppDeps } from "../app-deps.ts";
import { callerOf } from "../caller-of.ts";
import { type Handlers, Reply } from "../handlers.ts";
import { signedIn } from "./session.ts";

export function entryHandlers(deps: AppDeps): Handlers<typeof entryRoutes> {
  const { auth } = deps;
  return {
    /** The browser's former session is ended: nobody could end it from there any more. */
    "GET /sign-in/{token}": async ({ params, request, identity }) => {
      const link = auth.links.take(params.token);
      if (!link) return new Reply(undefined, { headers: { Location: identity ? "/" : "/login" } });
      const session = await startSession(auth, link.user, callerOf(request), "link");
      if (identity) await signOut(auth, identity);
      return new Reply(undefined, { headers: { Location: link.to }, session });
    },
    "GET /setup": async () => ({ needed: await setupNeeded(auth) }),
    "POST /setup": async ({ body, request }) => {
      const owner = await setUp(auth, body);
      return signedIn(deps, request, await startSession(auth, owner, callerOf(request), "setup"));
    },
    "GET /invitations/{token}": ({ params }) => readInvitation(auth, params.token),
    "POST /invitations/{token}": async ({ params, body, request, identity }) => {
      const user = await redeemInvitation(auth, params.token, body);
      const token = await startSession(auth, user, callerOf(request), "invitation");
      return signedIn(deps, request, token, identity);
    },
    "GET /password-resets/{token}": ({ params }) => readReset(auth, params.token),
    "POST /password-resets/{token}": async ({ params, body }) => {
      await resetPassword(auth, params.token, body);
    },
  };
}
