import { z } from "zod";
import { changePasswordSchema } from "../../../shared/protocol/password.ts";
import { endedSessionsSchema, sessionEntrySchema } from "../../../shared/protocol/sessions.ts";
import type { AppDeps } from "../app-deps.ts";
import { callerOf } from "../caller-of.ts";
import { listOf } from "../list-of.ts";
import { type Route, route } from "../route.ts";

const params = z.object({ id: z.string().max(120) });

/** What concerns only the person who is signed in: their sessions and their password. */
export function meRoutes({ auth }: Pick<AppDeps, "auth">): Route[] {
  const { sessions, passwords } = auth;
  return [
    route(
      {
        method: "get",
        path: "/me/sessions",
        summary: "Where I am signed in.",
        answer: listOf(sessionEntrySchema),
      },
      async (me) => {
        const items = await sessions.mine(me);
        return { body: { items, total: items.length } };
      },
    ),
    route(
      {
        method: "delete",
        path: "/me/sessions",
        summary: "Sign out everywhere but here.",
        answer: endedSessionsSchema,
      },
      async (me) => ({ body: { ended: await sessions.endMyOthers(me) } }),
    ),
    route(
      {
        method: "delete",
        path: "/me/sessions/{id}",
        summary: "End one of my sessions. Its open screens are signed out within a second.",
        params,
        status: 204,
      },
      async (me, call) => {
        await sessions.endMine(me, call.params.id);
        return {};
      },
    ),
    route(
      {
        method: "put",
        path: "/me/password",
        summary: "Change my password; ends my other sessions.",
        body: changePasswordSchema,
        status: 204,
      },
      async (me, { body, request }) => {
        await passwords.change(me, body, callerOf(request).ip);
        return {};
      },
    ),
  ];
}
