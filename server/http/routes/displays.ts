import { z } from "zod";
import {
  claimDisplaySchema,
  displayInfoSchema,
  pairAgainSchema,
  patchDisplaySchema,
} from "../../../shared/protocol/displays.ts";
import type { AppDeps } from "../app-deps.ts";
import { listOf } from "../list-of.ts";
import { type Route, route } from "../route.ts";

const params = z.object({ id: z.string().max(120) });
const path = "/displays/{id}";

/** The screens on the wall, as records. The right `displays` manages them; who makes boards sees them. */
export function displayRecordRoutes(deps: Pick<AppDeps, "displays">): Route[] {
  return [...collection(deps), ...single(deps), ...orders(deps)];
}

function collection({ displays }: Pick<AppDeps, "displays">): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/displays",
        summary: "The displays, and how each is doing.",
        answer: listOf(displayInfoSchema),
      },
      async ({ subject }) => {
        const items = await displays.list(subject);
        return { body: { items, total: items.length } };
      },
    ),
    route(
      {
        method: "post",
        path: "/displays",
        summary: "Take up the screen that shows this code, as a display that shows these boards.",
        body: claimDisplaySchema,
        answer: displayInfoSchema,
        status: 201,
      },
      async ({ subject }, { body }) => {
        const display = await displays.claim(subject, body);
        return {
          status: 201,
          headers: { Location: `/api/v1/displays/${display.id}` },
          body: display,
        };
      },
    ),
  ];
}

function single({ displays }: Pick<AppDeps, "displays">): Route[] {
  return [
    route(
      { method: "get", path, summary: "One display.", params, answer: displayInfoSchema },
      async ({ subject }, call) => ({ body: await displays.one(subject, call.params.id) }),
    ),
    route(
      {
        method: "patch",
        path,
        summary: "Change a display, which follows at once; what is absent stays.",
        params,
        body: patchDisplaySchema,
        answer: displayInfoSchema,
      },
      async ({ subject }, call) => ({
        body: await displays.change(subject, call.params.id, call.body),
      }),
    ),
    route(
      { method: "delete", path, summary: "Remove a display.", params, status: 204 },
      async ({ subject }, call) => {
        await displays.remove(subject, call.params.id);
        return {};
      },
    ),
  ];
}

const asked = {
  identify: "Ask a display to show its name for a moment.",
  reload: "Ask a display to load itself anew.",
  revoke: "End a display's credential: it shows nothing from now on.",
} as const;

function orders({ displays }: Pick<AppDeps, "displays">): Route[] {
  const simple = Object.entries(asked).map(([order, summary]) =>
    route(
      { method: "post", path: `${path}/${order}`, summary, params, answer: displayInfoSchema },
      async ({ subject }, call) => ({
        body: await displays.order(subject, call.params.id, order as keyof typeof asked),
      }),
    ),
  );
  const again = route(
    {
      method: "post",
      path: `${path}/pair`,
      summary: "Let the screen that shows this code take the display's place.",
      params,
      body: pairAgainSchema,
      answer: displayInfoSchema,
    },
    async ({ subject }, { params: { id }, body }) => ({
      body: await displays.pairAgain(subject, id, body.code),
    }),
  );
  return [...simple, again];
}
