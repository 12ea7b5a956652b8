import { z } from "zod";
import {
  acknowledgeSchema,
  createWallboardSchema,
  patchWallboardSchema,
  publishWallboardSchema,
  wallboardSchema,
} from "../../../shared/protocol/wallboards.ts";
import type { AppDeps } from "../app-deps.ts";
import { listOf } from "../list-of.ts";
import { overwriteParam } from "../query-params.ts";
import { type Route, route } from "../route.ts";

type Deps = Pick<AppDeps, "wallboards">;

const params = z.object({ id: z.string().max(120) });
const path = "/wallboards/{id}";

/** Wallboards: what is published may be seen by all who are signed in, the right `wallboards` changes them. */
export function wallboardRoutes(deps: Deps): Route[] {
  return [...collection(deps), ...single(deps), ...deeds(deps)];
}

function collection({ wallboards }: Deps): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/wallboards",
        summary:
          "The wallboards: their drafts for who may change them, what is published for others.",
        answer: listOf(wallboardSchema),
      },
      async ({ subject }) => {
        const items = await wallboards.list(subject);
        return { body: { items, total: items.length } };
      },
    ),
    route(
      {
        method: "post",
        path: "/wallboards",
        summary: "Add a wallboard; it is published at once, unless `draft` is asked for.",
        body: createWallboardSchema,
        answer: wallboardSchema,
        status: 201,
      },
      async ({ subject }, { body }) => {
        const board = await wallboards.create(subject, body);
        return {
          status: 201,
          headers: { Location: `/api/v1/wallboards/${board.id}` },
          body: board,
        };
      },
    ),
  ];
}

function single({ wallboards }: Deps): Route[] {
  return [
    route(
      { method: "get", path, summary: "One wallboard.", params, answer: wallboardSchema },
      async ({ subject }, call) => ({ body: await wallboards.one(subject, call.params.id) }),
    ),
    route(
      {
        method: "patch",
        path,
        summary:
          "Change a wallboard's draft: tiles given by id merge property by property (null takes away); a list of tiles takes the place of all, and needs the `version` it is based on.",
        params,
        query: z.strictObject({ overwrite: overwriteParam.optional() }),
        body: patchWallboardSchema,
        answer: wallboardSchema,
      },
      async ({ subject }, { params: { id }, query, body }) => ({
        body: await wallboards.change(subject, id, body, query.overwrite ?? false),
      }),
    ),
    route(
      { method: "delete", path, summary: "Remove a wallboard.", params, status: 204 },
      async ({ subject }, call) => {
        await wallboards.remove(subject, call.params.id);
        return {};
      },
    ),
  ];
}

/** What is done to a board beside changing it. */
function deeds({ wallboards }: Deps): Route[] {
  return [
    route(
      {
        method: "post",
        path: `${path}/restore`,
        summary: "Bring a wallboard back that was removed in the last 30 days.",
        params,
        answer: wallboardSchema,
      },
      async ({ subject }, call) => ({ body: await wallboards.restore(subject, call.params.id) }),
    ),
    route(
      {
        method: "post",
        path: `${path}/publish`,
        summary: "Put the draft on all screens at once, showing what the publisher may read.",
        params,
        body: publishWallboardSchema,
        answer: wallboardSchema,
      },
      async ({ subject }, { params: { id }, body }) => ({
        body: await wallboards.publish(subject, id, body.version),
      }),
    ),
    route(
      {
        method: "post",
        path: `${path}/acknowledgements`,
        summary:
          "Say that an alert has been seen: it neither flashes nor sounds anywhere any more.",
        params,
        body: acknowledgeSchema,
        status: 204,
      },
      async ({ subject }, { params: { id }, body }) => {
        await wallboards.acknowledge(subject, id, body);
        return {};
      },
    ),
  ];
}
