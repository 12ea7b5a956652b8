import { z } from "zod";
import { nameSchema } from "../../../shared/protocol/record.ts";
import { createViewSchema, patchViewSchema, viewSchema } from "../../../shared/protocol/views.ts";
import type { AppDeps } from "../app-deps.ts";
import { listOf } from "../list-of.ts";
import { type Route, route } from "../route.ts";

const params = z.object({ id: z.string().max(120) });
const path = "/views/{id}";

/** Views: one's own for who works in the table, shared ones by the right `sharedViews`. */
export function viewRoutes({ views }: Pick<AppDeps, "views">): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/views",
        summary: "The shared views and one's own, of one table or of all.",
        query: z.strictObject({ table: nameSchema.optional() }),
        answer: listOf(viewSchema),
      },
      async ({ subject }, { query }) => {
        const items = await views.list(subject, query.table);
        return { body: { items, total: items.length } };
      },
    ),
    route(
      {
        method: "post",
        path: "/views",
        summary: "Keep a view. What is absent is as the table has it.",
        body: createViewSchema,
        answer: viewSchema,
        status: 201,
      },
      async ({ subject }, { body }) => {
        const view = await views.create(subject, body);
        return { status: 201, headers: { Location: `/api/v1/views/${view.id}` }, body: view };
      },
    ),
    route(
      { method: "get", path, summary: "One view.", params, answer: viewSchema },
      async ({ subject }, call) => ({ body: await views.one(subject, call.params.id) }),
    ),
    route(
      {
        method: "patch",
        path,
        summary:
          "Change a view; what is absent stays. `base` is what the author saw: with it nobody's change is overwritten.",
        params,
        body: patchViewSchema,
        answer: viewSchema,
      },
      async ({ subject }, { params: { id }, body }) => ({
        body: await views.change(subject, id, body),
      }),
    ),
    route(
      { method: "delete", path, summary: "Remove a view.", params, status: 204 },
      async ({ subject }, call) => {
        await views.remove(subject, call.params.id);
        return {};
      },
    ),
    route(
      {
        method: "post",
        path: `${path}/restore`,
        summary: "Bring a view back that was removed in the last 30 days.",
        params,
        answer: viewSchema,
      },
      async ({ subject }, call) => ({ body: await views.restore(subject, call.params.id) }),
    ),
  ];
}
