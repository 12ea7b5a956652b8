import { z } from "zod";
import type { AppDeps } from "../app-deps.ts";
import { callerOf } from "../caller-of.ts";
import { publicRoute, type Route } from "../route.ts";

/**
 * One click signs in, and the browser is sent on to the page. A session that it had before is over: nobody
 * could end it from there any more. A link that was used leads to the door.
 */
export function signInLinkRoutes({ auth }: Pick<AppDeps, "auth">): Route[] {
  return [
    publicRoute(
      {
        method: "get",
        path: "/sign-in/{token}",
        summary: "Follow a one-time sign-in link.",
        params: z.object({ token: z.string().max(200) }),
        status: 303,
      },
      async ({ params, request }, identity) => {
        const link = auth.links.take(params.token);
        if (!link) return { status: 303, headers: { Location: identity ? "/" : "/login" } };
        const session = await auth.openSession(link.user, callerOf(request), "link");
        if (identity) await auth.signOut(identity);
        return { status: 303, headers: { Location: link.to }, session };
      },
    ),
  ];
}
