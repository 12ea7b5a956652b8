import type { modelRoutes } from "../../../shared/contract/model.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import { visibleModel } from "../../policy/visible-model.ts";
import type { AppDeps } from "../app-deps.ts";
import { type Handlers, listed } from "../handlers.ts";

export function modelHandlers({
  auth,
  model,
  models,
}: Pick<AppDeps, "auth" | "model" | "models">): Handlers<typeof modelRoutes> {
  return {
    "GET /model": async ({ identity }) => visibleModel(model(), identity.subject),
    "PUT /model": async ({ identity: { subject, actor }, query, body }) => {
      const dryRun = query.dryRun !== undefined;
      const confirmLoss = query.confirm === "lossy";
      const plan = await models.save({ model: body, by: actor, dryRun, confirmLoss });
      if (!dryRun && plan.steps.length > 0) await auth.recordModelChange(subject.id, plan.version);
      return plan;
    },
    "GET /model/versions": async () => listed(await models.versions()),
    "GET /model/versions/{version}": async ({ params: { version } }) => {
      const found = await models.version(version === "current" ? undefined : version);
      if (!found) throw new Refusal("not_found");
      return found;
    },
  };
}
