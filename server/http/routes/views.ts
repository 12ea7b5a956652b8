import type { viewRoutes } from "../../../shared/protocol/views.ts";
import type { Commands } from "../../commands/commands.ts";
import type { Context } from "../../store/published-model.ts";
import {
  addView,
  allViews,
  changeView,
  moveInView,
  oneView,
  removeView,
  resetOrder,
  restoreView,
} from "../../views/views.ts";
import { created, type Handlers, listed } from "../handlers.ts";

/** Moves by hand read records, so they take turns with reads: who moves thousands at a time delays only themselves. */
export function viewHandlers(
  context: Context & { commands: Commands },
): Handlers<typeof viewRoutes> {
  const { reads } = context.commands;
  return {
    "GET /views": async ({ me, query }) => listed(await allViews(context, me, query.table)),
    "POST /views": async ({ me, body }) =>
      created("GET /views/{id}", await addView(context, me, body)),
    "GET /views/{id}": ({ me, params }) => oneView(context, me, params.id),
    "PATCH /views/{id}": ({ me, params, body }) => changeView(context, me, params.id, body),
    "POST /views/{id}/order": ({ me, params, body }) =>
      reads.run({ subject: me }, () => moveInView(context, me, params.id, body)),
    "DELETE /views/{id}/order": ({ me, params }) => resetOrder(context, me, params.id),
    "DELETE /views/{id}": ({ me, params }) => removeView(context, me, params.id),
    "POST /views/{id}/restore": ({ me, params }) => restoreView(context, me, params.id),
  };
}
