import { z } from "zod";
import { setupSchema } from "../../../shared/protocol/session.ts";
import type { AppDeps } from "../app-deps.ts";
import { callerOf } from "../caller-of.ts";
import { publicRoute, type Route } from "../route.ts";
import { sessionInfoSchema, signedIn } from "./session.ts";

/** The first run. */
export function setupRoutes(deps: Pick<AppDeps, "auth" | "model">): Route[] {
  const { setup, openSession } = deps.auth;
  return [
    publicRoute(
      {
        method: "get",
        path: "/setup",
        summary: "Whether the first owner is still to be created.",
        answer: z.object({ needed: z.boolean() }),
      },
      async () => ({ body: { needed: await setup.needed() } }),
    ),
    publicRoute(
      {
        method: "post",
        path: "/setup",
        summary: "Create the owner by the printed one-time link, choose a template, and sign in.",
        body: setupSchema,
        answer: sessionInfoSchema,
        status: 201,
      },
      async ({ body, request }) => {
        const owner = await setup.run(body);
        const token = await openSession(owner, callerOf(request), "setup");
        return { ...(await signedIn(deps, token)), status: 201 };
      },
    ),
  ];
}
