import { z } from "zod";
import { factorsSchema } from "../../../shared/protocol/factors.ts";
import { passwordResetLinkSchema } from "../../../shared/protocol/password.ts";
import { endedSessionsSchema, sessionEntrySchema } from "../../../shared/protocol/sessions.ts";
import { invitationLinkSchema } from "../../../shared/protocol/users.ts";
import type { AppDeps } from "../app-deps.ts";
import { baseUrl } from "../base-url.ts";
import { listOf } from "../list-of.ts";
import { type Route, route } from "../route.ts";

const params = z.object({ id: z.string().max(120) });
const one = z.object({ id: z.string().max(120), session: z.string().max(120) });

/** How somebody else comes in: their sessions, their factors, and links for who lost the way in. Right `users`. */
export function userAccessRoutes(deps: Pick<AppDeps, "auth" | "config">): Route[] {
  return [...sessionsOf(deps), ...factorsOf(deps), ...linksFor(deps)];
}

function sessionsOf({ auth: { sessions } }: Pick<AppDeps, "auth">): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/users/{id}/sessions",
        summary: "Where somebody is signed in.",
        params,
        answer: listOf(sessionEntrySchema),
      },
      async (me, call) => {
        const items = await sessions.of(me, call.params.id);
        return { body: { items, total: items.length } };
      },
    ),
    route(
      {
        method: "delete",
        path: "/users/{id}/sessions",
        summary: "Sign somebody out everywhere.",
        params,
        answer: endedSessionsSchema,
      },
      async ({ subject }, call) => ({
        body: { ended: await sessions.endAllOf(subject, call.params.id) },
      }),
    ),
    route(
      {
        method: "delete",
        path: "/users/{id}/sessions/{session}",
        summary: "End one session of somebody.",
        params: one,
        status: 204,
      },
      async ({ subject }, call) => {
        await sessions.endOf(subject, call.params.id, call.params.session);
        return {};
      },
    ),
  ];
}

function factorsOf({ auth: { factors } }: Pick<AppDeps, "auth">): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/users/{id}/factors",
        summary: "The second factors of somebody.",
        params,
        answer: factorsSchema,
      },
      async ({ subject }, call) => ({ body: await factors.of(subject, call.params.id) }),
    ),
    route(
      {
        method: "delete",
        path: "/users/{id}/factors",
        summary: "Take away all second factors of somebody who lost them; ends their sessions.",
        params,
        status: 204,
      },
      async ({ subject }, call) => {
        await factors.removeAllOf(subject, call.params.id);
        return {};
      },
    ),
  ];
}

function linksFor({ auth, config }: Pick<AppDeps, "auth" | "config">): Route[] {
  const { invitations, passwords } = auth;
  return [
    route(
      {
        method: "post",
        path: "/users/{id}/invitation",
        summary: "Make another invitation for somebody who lost theirs. It opens once.",
        params,
        answer: invitationLinkSchema,
        status: 201,
      },
      async ({ subject }, call) => {
        const { token, expires } = await invitations.again(subject, call.params.id);
        const link = `${baseUrl(call.request, config.publicUrl)}/invitation#${token}`;
        return { status: 201, body: { link, expires } };
      },
    ),
    route(
      {
        method: "post",
        path: "/users/{id}/password-reset",
        summary: "Make a link by which somebody chooses a new password. It opens once.",
        params,
        answer: passwordResetLinkSchema,
        status: 201,
      },
      async ({ subject }, call) => {
        const { token, expires } = await passwords.issueReset(subject, call.params.id);
        const link = `${baseUrl(call.request, config.publicUrl)}/password-reset#${token}`;
        return { status: 201, body: { link, expires } };
      },
    ),
  ];
}
