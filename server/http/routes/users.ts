import { z } from "zod";
import { createUserSchema } from "../../../shared/protocol/session.ts";
import { createdUserSchema, patchUserSchema, userSchema } from "../../../shared/protocol/users.ts";
import type { AppDeps } from "../app-deps.ts";
import { baseUrl } from "../base-url.ts";
import { listOf } from "../list-of.ts";
import { type Route, route } from "../route.ts";

const params = z.object({ id: z.string().max(120) });
const path = "/users/{id}";

/** People: everybody may know who is there, the right `users` manages them. */
export function userRoutes({ auth, config }: Pick<AppDeps, "auth" | "config">): Route[] {
  const { people } = auth;
  return [
    route(
      { method: "get", path: "/users", summary: "Everybody.", answer: listOf(userSchema) },
      async ({ subject }) => {
        const items = await people.list(subject);
        return { body: { items, total: items.length } };
      },
    ),
    route(
      {
        method: "post",
        path: "/users",
        summary: "Add a user; without a password the answer holds an invitation link.",
        body: createUserSchema,
        answer: createdUserSchema,
        status: 201,
      },
      async ({ subject }, { body, request }) => {
        const { user, invitation } = await people.add(subject, body);
        const link = invitation && `${baseUrl(request, config.publicUrl)}/invitation#${invitation}`;
        return {
          status: 201,
          headers: { Location: `/api/v1/users/${user.id}` },
          body: link ? { ...user, invitation: link } : user,
        };
      },
    ),
    route(
      { method: "get", path, summary: "One user.", params, answer: userSchema },
      async ({ subject }, call) => ({ body: await people.one(subject, call.params.id) }),
    ),
    route(
      {
        method: "patch",
        path,
        summary: "Change a user; what is absent stays.",
        params,
        body: patchUserSchema,
        answer: userSchema,
      },
      async ({ subject }, call) => ({
        body: await people.change(subject, call.params.id, call.body),
      }),
    ),
    route(
      { method: "delete", path, summary: "Remove a user.", params, status: 204 },
      async ({ subject }, call) => {
        await people.remove(subject, call.params.id);
        return {};
      },
    ),
  ];
}
