import { found } from "../../../shared/protocol/errors.ts";
import type { modelRoutes } from "../../../shared/protocol/model.ts";
import { authorizeAgain } from "../../auth/authenticate.ts";
import { saveModel } from "../../model/save-model.ts";
import { countUses, usesOf } from "../../model/used-by.ts";
import { visibleModel } from "../../policy/visible-model.ts";
import { listModelVersions, loadModelVersion } from "../../store/models.ts";
import type { AppDeps } from "../app-deps.ts";
import { type Handlers, listed } from "../handlers.ts";

export function modelHandlers({ auth, model, models }: AppDeps): Handlers<typeof modelRoutes> {
  return {
    "GET /model": async ({ me }) => visibleModel(model(), me),
    "PUT /model": async ({ identity, query, body }) => {
      const { subject, actor: by } = identity;
      const dryRun = query.dryRun !== undefined;
      const confirmLoss = query.confirm === "lossy";
      const plan = await saveModel(models, {
        ...{ model: body, by, dryRun, confirmLoss, reader: subject },
        authorize: async (tx) => void (await authorizeAgain(tx, identity, "model")),
      });
      if (!dryRun && plan.steps.length > 0) {
        const detail = { version: plan.version };
        await auth.recordEvent({ kind: "model_changed", actor: subject.id, detail });
      }
      return plan;
    },
    "GET /model/uses": async ({ me, query }) =>
      listed(await usesOf(models.database.kysely, model(), me, query)),
    "GET /model/uses/counts": async ({ me, query }) =>
      listed(await countUses(models.database.kysely, model(), me, query.table)),
    "GET /model/versions": async () => listed(await listModelVersions(models.database)),
    "GET /model/versions/{version}": async ({ params: { version } }) =>
      found(await loadModelVersion(models.database, version === "current" ? null : version)),
  };
}
