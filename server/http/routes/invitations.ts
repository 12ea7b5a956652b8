import { z } from "zod";
import { acceptInvitationSchema } from "../../../shared/protocol/session.ts";
import { invitationSchema } from "../../../shared/protocol/users.ts";
import type { AppDeps } from "../app-deps.ts";
import { callerOf } from "../caller-of.ts";
import { publicRoute, type Route } from "../route.ts";
import { sessionInfoSchema, signedIn } from "./session.ts";

const params = z.object({ token: z.string().max(200) });

/** How an invited person comes in: the token of the link is the proof. */
export function invitationRoutes(deps: Pick<AppDeps, "auth" | "model">): Route[] {
  const { invitations, openSession } = deps.auth;
  return [
    publicRoute(
      {
        method: "get",
        path: "/invitations/{token}",
        summary: "For whom an invitation is.",
        params,
        answer: invitationSchema,
      },
      async (call) => ({ body: await invitations.read(call.params.token) }),
    ),
    publicRoute(
      {
        method: "post",
        path: "/invitations/{token}",
        summary: "Accept an invitation: choose a password, and be signed in.",
        params,
        body: acceptInvitationSchema,
        answer: sessionInfoSchema,
      },
      async (call, former) => {
        const user = await invitations.accept(call.params.token, call.body);
        const token = await openSession(user, callerOf(call.request), "invitation");
        return signedIn(deps, token, former);
      },
    ),
  ];
}
