import type { wallboardRoutes } from "../../../shared/contract/wallboards.ts";
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
    "GET /wallboards": async ({ identity }) =>
      listed(await allWallboards(wallboards, identity.subject)),
    "POST /wallboards": async ({ identity, body }) =>
      created("GET /wallboards/{id}", await addWallboard(wallboards, identity.subject, body)),
    "GET /wallboards/{id}": ({ identity, params }) =>
      oneWallboard(wallboards, identity.subject, params.id),
    "PATCH /wallboards/{id}": ({ identity, params, query, body }) =>
      changeWallboard(wallboards, identity.subject, params.id, body, query.overwrite ?? false),
    "DELETE /wallboards/{id}": ({ identity, params }) =>
      removeWallboard(wallboards, identity.subject, params.id),
    "POST /wallboards/{id}/restore": ({ identity, params }) =>
      restoreWallboard(wallboards, identity.subject, params.id),
    "POST /wallboards/{id}/publish": ({ identity, params, body }) =>
      publishWallboard(wallboards, identity.subject, params.id, body.version),
    "POST /wallboards/{id}/acknowledgements": ({ identity, params, body }) =>
      acknowledgeAlert(wallboards, identity.subject, params.id, body),
  };
}
