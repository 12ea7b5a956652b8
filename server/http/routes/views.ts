import type { viewRoutes } from "../../../shared/contract/views.ts";
import type { Context } from "../../store/published-model.ts";
import {
  addView,
  allViews,
  changeView,
  oneView,
  removeView,
  restoreView,
} from "../../views/views.ts";
import { created, type Handlers, listed } from "../handlers.ts";

export function viewHandlers(context: Context): Handlers<typeof viewRoutes> {
  return {
    "GET /views": async ({ identity, query }) =>
      listed(await allViews(context, identity.subject, query.table)),
    "POST /views": async ({ identity, body }) =>
      created("GET /views/{id}", await addView(context, identity.subject, body)),
    "GET /views/{id}": ({ identity, params }) => oneView(context, identity.subject, params.id),
    "PATCH /views/{id}": ({ identity, params, body }) =>
      changeView(context, identity.subject, params.id, body),
    "DELETE /views/{id}": ({ identity, params }) =>
      removeView(context, identity.subject, params.id),
    "POST /views/{id}/restore": ({ identity, params }) =>
      restoreView(context, identity.subject, params.id),
  };
}
