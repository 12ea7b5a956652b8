import { mutateAnswerSchema, mutateSchema } from "../../../shared/protocol/mutate.ts";
import type { AppDeps } from "../app-deps.ts";
import { type Route, route } from "../route.ts";

/** Many ops at once. Each has its own outcome in the answer, unless the call is atomic. */
export function mutationRoutes({ commands }: Pick<AppDeps, "commands">): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/mutations",
        summary:
          "Many ops at once; `id` makes a repeat harmless: it is answered, not applied again.",
        body: mutateSchema,
        answer: mutateAnswerSchema,
      },
      async (identity, { body }) => ({ body: await commands.mutate(identity, body) }),
    ),
  ];
}
