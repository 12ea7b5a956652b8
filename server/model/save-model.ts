import { type Explanation, quote, wordingOf } from "../../shared/error-texts/explain.ts";
import { explainModel, type modelTexts } from "../../shared/error-texts/model-texts.ts";
import { assignIdentities } from "../../shared/model/assign-identities.ts";
import { checkModel, type ModelLimits } from "../../shared/model/check-model.ts";
import type { Model } from "../../shared/model/model.ts";
import { planModel } from "../../shared/model/plan-model.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { type FieldProblem, Refusal, unavailable } from "../../shared/protocol/errors.ts";
import type { ModelPlan, PlannedStep } from "../../shared/protocol/model.ts";
import type { Database, Db } from "../store/database.ts";
import { type Applied, applyPlan, type ModelChange } from "../store/ddl/apply-plan.ts";
import { measurePlan } from "../store/ddl/measure-plan.ts";
import { withPreparedPlan } from "../store/ddl/prepare-plan.ts";
import type { Change } from "../store/ddl/step-statements.ts";
import { unmanagedTables } from "../store/managed-tables.ts";
import { loadModelVersion, usedNames } from "../store/models.ts";
import { usesOfSteps } from "./used-by.ts";

type PublishKey = Exclude<
  Extract<keyof typeof modelTexts, `publish.${string}`>,
  "publish.dependsNamed"
>;

const explanations: Readonly<Record<string, PublishKey>> = {
  "42P07": "publish.nameTaken",
  "23502": "publish.emptyValues",
  "23514": "publish.emptyValues",
  "42701": "publish.nameTaken",
  "23505": "publish.sharedValues",
  "23503": "publish.links",
  "2BP01": "publish.dependsRemoved",
  "0A000": "publish.dependsChanged",
  "54011": "publish.tooManyFields",
  "55P03": "publish.busy",
};

/** Problems in one answer; a model of 1 MiB can have 200,000. */
const PROBLEMS_MAX = 1_000;

/** What versions of the model are published with. */
export interface Models {
  database: Database;
  limits: ModelLimits;
  /** Called once a new version is published. */
  onSaved: () => Promise<void>;
}

interface SaveModelCall {
  /** The new model; its `version` is the one that it is based on. */
  model: Model;
  /** The author, as the log names them. */
  by: string;
  dryRun?: boolean;
  /** Of a dry run: to whom the uses of what is removed are named. */
  reader?: Subject;
  /** Allows a plan to lose what it lists. */
  confirmLoss?: boolean;
  /** Refuses an author without the right to publish, which may have ended while indexes were built and locks awaited. */
  authorize?: (tx: Db) => Promise<void>;
}

/**
 * Publishes a new version of the model, or only returns its plan. Refuses with `model_conflict` if it is
 * based on another version than the published one, with `validation_failed` if it is invalid, or would lose
 * something without confirmation.
 */
export async function saveModel(models: Models, call: SaveModelCall): Promise<ModelPlan> {
  const { database } = models;
  const stored = await loadModelVersion(database);
  const from: Model = stored?.document ?? { version: 0, tables: [] };
  if (call.model.version !== from.version) throw modelConflict(stored);
  const model = from.zone === undefined ? call.model : { zone: from.zone, ...call.model };
  const next = assignIdentities(from, model, await usedNames(database, from));
  requireSound(next, models.limits);
  const steps = planModel(from, next);
  const unmanaged = await unmanagedTables(database.kysely, from);
  const change = { from, to: next, unmanaged };
  const plan = planOf(from.version, await measurePlan(database.kysely, steps, change));
  if (call.dryRun && call.reader) {
    const uses = await usesOfSteps(database.kysely, from, call.reader, steps);
    return { ...plan, steps: plan.steps.map((step, at) => withUses(step, uses[at])) };
  }
  if (call.dryRun || steps.length === 0) return plan;
  if (plan.blocked) throw rejected(plan, "blocked", blockedReason(plan));
  const to = { ...next, version: from.version + 1 };
  const lossConfirmed = call.confirmLoss ?? false;
  if (plan.lossy && !lossConfirmed) throw unconfirmed(plan);
  const applied = await applyPrepared(database, {
    ...change,
    to,
    steps,
    by: call.by,
    authorize: call.authorize,
    lossConfirmed,
  });
  if (applied === "moved") throw modelConflict(await loadModelVersion(database));
  if (applied === "foreign") {
    throw rejected(plan, "blocked", explainModel("publish.foreign"));
  }
  if (applied === "loses") throw unconfirmed(plan);
  await models.onSaved();
  return { ...plan, version: to.version };
}

async function applyPrepared(
  database: Database,
  change: Change & Omit<ModelChange, "prepared">,
): Promise<Applied> {
  try {
    return await withPreparedPlan(database, change.steps, change, (prepared) =>
      applyPlan(database, { ...change, prepared }),
    );
  } catch (error) {
    throw refusedByDatabase(error);
  }
}

/** The plan counts records that prevent it; a table or view that is not ours is named. */
function blockedReason({ steps }: ModelPlan): Explanation {
  const foreign = steps.find(({ blocked }) => blocked?.rows === 0)?.blocked;
  if (!foreign) return explainModel("publish.blocked");
  return { ...quote(foreign.sentence), ...wordingOf(foreign) };
}

function withUses(step: PlannedStep, usedBy: PlannedStep["usedBy"] = []): PlannedStep {
  return usedBy.length > 0 ? { ...step, usedBy } : step;
}

function planOf(version: number, steps: PlannedStep[]): ModelPlan {
  return {
    version,
    steps,
    lossy: steps.some(({ loses }) => loses),
    blocked: steps.some(({ blocked }) => blocked),
  };
}

function requireSound(model: Model, limits: ModelLimits): void {
  const problems = checkModel(model, limits).slice(0, PROBLEMS_MAX);
  if (problems.length === 0) return;
  const fields = problems.map(({ path, ...explanation }): [string, FieldProblem] => [
    path.join("."),
    { rule: "model", ...explanation },
  ]);
  const detail = { problems, fields: Object.fromEntries(fields) };
  throw new Refusal("validation_failed", detail, problems[0]);
}

function modelConflict(stored: { version: number; by: string; at: string } | null): Refusal {
  const { version = 0, by = null, at = null } = stored ?? {};
  return new Refusal("model_conflict", { version, by, at });
}

const unconfirmed = (plan: ModelPlan) => rejected(plan, "lossy", explainModel("publish.lossy"));

function rejected(plan: ModelPlan, rule: "lossy" | "blocked", explanation: Explanation): Refusal {
  return new Refusal("validation_failed", { rule, plan: plan.steps }, explanation);
}

/** A Postgres error of a model change, as a refusal; anything unforeseen unchanged. */
function refusedByDatabase(error: unknown): unknown {
  const { code = "" } = error as { code?: string };
  const isBusy = code === "55P03";
  const key = explanations[code];
  if (key === undefined) return error;
  const detail = { rule: "database" };
  const object = dependentObject(error);
  const explanation =
    object === null ? explainModel(key) : explainModel("publish.dependsNamed", { object });
  const refusal = isBusy
    ? unavailable(detail, explanation)
    : new Refusal("validation_failed", detail, explanation);
  refusal.cause = error;
  return refusal;
}

/** What of another program Postgres names as depending on what would be changed: a function, or a view that was created after the plan. */
function dependentObject(error: unknown): string | null {
  const { code, detail } = error as { code?: string; detail?: string };
  return (code === "2BP01" || code === "0A000") && detail ? (detail.split("\n")[0] ?? null) : null;
}
