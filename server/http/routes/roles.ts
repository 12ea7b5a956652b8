import { z } from "zod";
import {
  createRoleSchema,
  patchRoleSchema,
  previewRoleSchema,
  roleInfoSchema,
  rolePreviewSchema,
} from "../../../shared/protocol/roles.ts";
import type { AppDeps } from "../app-deps.ts";
import { listOf } from "../list-of.ts";
import { type Route, route } from "../route.ts";

type Deps = Pick<AppDeps, "auth" | "commands" | "model">;

const params = z.object({ id: z.string().max(120) });
const path = "/roles/{id}";

/** Roles: everybody may know their names, the right `roles` manages them. */
export function roleRoutes(deps: Deps): Route[] {
  return [...collection(deps), ...single(deps)];
}

function collection({ auth: { roles }, commands, model }: Deps): Route[] {
  return [
    route(
      { method: "get", path: "/roles", summary: "The roles.", answer: listOf(roleInfoSchema) },
      async ({ subject }) => {
        const items = await roles.list(subject);
        return { body: { items, total: items.length } };
      },
    ),
    route(
      {
        method: "post",
        path: "/roles",
        summary:
          "Add a role. Nothing granted is nothing allowed; `*` grants on every table not named.",
        body: createRoleSchema,
        answer: roleInfoSchema,
        status: 201,
      },
      async ({ subject }, { body }) => {
        const role = await roles.add(subject, body, model());
        return { status: 201, headers: { Location: `/api/v1/roles/${role.id}` }, body: role };
      },
    ),
    route(
      {
        method: "post",
        path: "/roles/preview",
        summary:
          "What a person would see of a table under these grants, as far as the caller may see it.",
        body: previewRoleSchema,
        answer: rolePreviewSchema,
      },
      async (identity, { body }) => ({ body: await commands.previewRole(identity, body) }),
    ),
  ];
}

function single({ auth: { roles }, model }: Pick<Deps, "auth" | "model">): Route[] {
  return [
    route(
      { method: "get", path, summary: "One role.", params, answer: roleInfoSchema },
      async ({ subject }, call) => ({ body: await roles.one(subject, call.params.id) }),
    ),
    route(
      {
        method: "patch",
        path,
        summary:
          "Change a role; what is absent stays, table by table and right by right; `null` takes away. `base` is what the author saw: with it nobody's change is overwritten.",
        params,
        body: patchRoleSchema,
        answer: roleInfoSchema,
      },
      async ({ subject }, { params: { id }, body }) => ({
        body: await roles.change(subject, id, body, model()),
      }),
    ),
    route(
      { method: "delete", path, summary: "Remove a role that nobody has.", params, status: 204 },
      async ({ subject }, call) => {
        await roles.remove(subject, call.params.id);
        return {};
      },
    ),
  ];
}
