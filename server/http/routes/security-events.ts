import {
  securityEventSchema,
  securityEventsQuerySchema,
} from "../../../shared/protocol/security-events.ts";
import type { AppDeps } from "../app-deps.ts";
import { listOf } from "../list-of.ts";
import { type Route, route } from "../route.ts";

/** What happened to who may come in and what they may. Right `activity`. */
export function securityEventRoutes({ auth }: Pick<AppDeps, "auth">): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/security-events",
        summary: "Sign-ins, failures, factors, sessions, and changes of people, roles and model.",
        query: securityEventsQuerySchema,
        answer: listOf(securityEventSchema),
      },
      async ({ subject }, { query }) => ({ body: await auth.securityEvents(subject, query) }),
    ),
  ];
}
