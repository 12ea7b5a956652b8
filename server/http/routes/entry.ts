import type { entryRoutes } from "../../../shared/contract/session.ts";
import type { AppDeps } from "../app-deps.ts";
import { callerOf } from "../caller-of.ts";
import { type Handlers, Reply } from "../handlers.ts";
import { signedIn } from "./session.ts";

export function entryHandlers(
  deps: Pick<AppDeps, "auth" | "config" | "model">,
): Handlers<typeof entryRoutes> {
  const { setup, invitations, passwords, links, openSession, signOut } = deps.auth;
  return {
    /** The browser's former session is ended: nobody could end it from there any more. */
    "GET /sign-in/{token}": async ({ params, request, identity }) => {
      const link = links.take(params.token);
      if (!link) return new Reply(undefined, { headers: { Location: identity ? "/" : "/login" } });
      const session = await openSession(link.user, callerOf(request), "link");
      if (identity) await signOut(identity);
      return new Reply(undefined, { headers: { Location: link.to }, session });
    },
    "GET /setup": async () => ({ needed: await setup.needed() }),
    "POST /setup": async ({ body, request }) => {
      const owner = await setup.run(body);
      return signedIn(deps, request, await openSession(owner, callerOf(request), "setup"));
    },
    "GET /invitations/{token}": ({ params }) => invitations.read(params.token),
    "POST /invitations/{token}": async ({ params, body, request, identity }) => {
      const user = await invitations.accept(params.token, body);
      const token = await openSession(user, callerOf(request), "invitation");
      return signedIn(deps, request, token, identity);
    },
    "GET /password-resets/{token}": ({ params }) => passwords.readReset(params.token),
    "POST /password-resets/{token}": async ({ params, body }) => {
      await passwords.reset(params.token, body.password);
    },
  };
}
