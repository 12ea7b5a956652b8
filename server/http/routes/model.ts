import { found } from "../../../shared/protocol/errors.ts";
import type { ModelPlan, modelRoutes } from "../../../shared/protocol/model.ts";
import { authorizeAgain } from "../../auth/authenticate.ts";
import type { Identity } from "../../auth/identity.ts";
import { saveModel } from "../../model/save-model.ts";
import { countUses, usesOf } from "../../model/used-by.ts";
import { visibleModel } from "../../policy/visible-model.ts";
import type { Db } from "../../store/database.ts";
import { listModelVersions, loadModelVersion } from "../../store/models.ts";
import type { AppDeps } from "../app-deps.ts";
import { type Handlers, listed } from "../handlers.ts";

export function modelHandlers(deps: AppDeps): Handlers<typeof modelRoutes> {
  const { auth, model, models } = deps;
  const authorize = (identity: Identity) => async (tx: Db) =>
    void (await authorizeAgain(tx, identity, "model"));
  const recordChange = ({ subject }: Identity, { version }: ModelPlan) =>
    auth.recordEvent({ kind: "model_changed", actor: subject.id, detail: { version } });
  return {
    "GET /model": async ({ me }) => visibleModel(model(), me),
    "PUT /model": async ({ identity, query, body }) => {
      const { subject, actor: by } = identity;
      const dryRun = query.dryRun !== undefined;
      const confirmLoss = query.confirm === "lossy";
      const plan = await saveModel(models, {
        ...{ model: body, by, dryRun, confirmLoss, reader: subject },
        authorize: authorize(identity),
      });
      if (!dryRun && plan.steps.length > 0) await recordChange(identity, plan);
      return plan;
    },
    "POST /model/example": async ({ identity, body }) => {
      const author = { by: identity.actor, authorize: authorize(identity) };
      const plan = await deps.useExample(body.example, author);
      await recordChange(identity, plan);
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
