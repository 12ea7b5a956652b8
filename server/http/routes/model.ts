import { z } from "zod";
import type { Model } from "../../../shared/model/model.ts";
import { modelSchema } from "../../../shared/model/model-schema.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import { requireRight } from "../../auth/require-right.ts";
import { visibleModel } from "../../policy/visible-model.ts";
import type { AppDeps } from "../app-deps.ts";
import { listOf } from "../list-of.ts";
import { wholeParam } from "../query-params.ts";
import { type Route, route } from "../route.ts";

const visibleSchema = z.object({
  version: z.int(),
  tables: z.array(z.looseObject({ name: z.string(), label: z.string() })),
});

const versionSchema = z.object({ version: z.int(), by: z.string(), at: z.string() });
const costSchema = z.object({ rows: z.int(), sentence: z.string() });
const planSchema = z.object({
  version: z.int(),
  steps: z.array(
    z.object({
      kind: z.string(),
      table: z.string(),
      field: z.string().optional(),
      sentence: z.string(),
      sql: z.array(z.string()),
      loses: costSchema.optional(),
      blocked: costSchema.optional(),
    }),
  ),
  lossy: z.boolean(),
  blocked: z.boolean(),
});

const saveQuery = z.object({
  dryRun: z.enum(["1", "true"]).optional(),
  confirm: z.enum(["lossy"]).optional(),
});

/** The model as one document: as far as one may read it, whole for those who may change it. */
export function modelRoutes({
  auth,
  model,
  models,
}: Pick<AppDeps, "auth" | "model" | "models">): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/model",
        summary: "The model as one document.",
        answer: visibleSchema,
      },
      async ({ subject }) => ({ body: visibleModel(model(), subject) }),
    ),
    route(
      {
        method: "put",
        path: "/model",
        summary:
          "Put another model in force, based on the version that it names; `dryRun=1` answers the plan only, `confirm=lossy` lets it lose what the plan says.",
        query: saveQuery,
        body: modelSchema,
        answer: planSchema,
      },
      async ({ subject, actor }, { query, body }) => {
        requireRight(subject, "model");
        const call = {
          model: body satisfies Model,
          by: actor,
          dryRun: query.dryRun !== undefined,
          confirmLoss: query.confirm === "lossy",
        };
        const plan = await models.save(call);
        if (!call.dryRun && plan.steps.length > 0) {
          await auth.recordModelChange(subject.id, plan.version);
        }
        return { body: plan };
      },
    ),
    ...versionRoutes(models),
  ];
}

function versionRoutes(models: AppDeps["models"]): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/model/versions",
        summary: "The versions that the model has had, newest first.",
        answer: listOf(versionSchema),
      },
      async ({ subject }) => {
        requireRight(subject, "model");
        const items = await models.versions();
        return { body: { items, total: items.length } };
      },
    ),
    route(
      {
        method: "get",
        path: "/model/versions/{version}",
        summary: "One version of the model, whole; `current` is the one in force.",
        params: z.object({ version: z.union([z.literal("current"), wholeParam]) }),
        answer: versionSchema.extend({ document: modelSchema }),
      },
      async ({ subject }, { params }) => {
        requireRight(subject, "model");
        const { version } = params;
        const found = await models.version(version === "current" ? undefined : version);
        if (!found) throw new Refusal("not_found");
        return { body: found };
      },
    ),
  ];
}
