import type { wallboardRoutes } from "../../../shared/protocol/wallboards.ts";
import {
  acknowledgeAlert,
  addWallboard,
  allWallboards,
  changeWallboard,
  oneWallboard,
  publishWallboard,
  removeWallboard,
  restoreWallboard,
} from "../../tiles/wallboards/wallboard-commands.ts";
import type { AppDeps } from "../app-deps.ts";
import { created, type Handlers, listed } from "../handlers.ts";

export function wallboardHandlers({ wallboards }: AppDeps): Handlers<typeof wallboardRoutes> {
  return {
    "GET /wallboards": async ({ me }) => listed(await allWallboards(wallboards, me)),
    "POST /wallboards": async ({ me, body }) =>
      created("GET /wallboards/{id}", await addWallboard(wallboards, me, body)),
    "GET /wallboards/{id}": ({ me, params }) => oneWallboard(wallboards, me, params.id),
    "PATCH /wallboards/{id}": ({ me, params, query, body }) =>
      changeWallboard(wallboards, me, params.id, body, query.overwrite ?? false),
    "DELETE /wallboards/{id}": ({ me, params }) => removeWallboard(wallboards, me, params.id),
    "POST /wallboards/{id}/restore": ({ me, params }) =>
      restoreWallboard(wallboards, me, params.id),
    "POST /wallboards/{id}/publish": ({ me, params, body }) =>
      publishWallboard(wallboards, me, params.id, body.version),
    "POST /wallboards/{id}/acknowledgements": ({ me, params, body }) =>
      acknowledgeAlert(wallboards, me, params.id, body),
  };
}
