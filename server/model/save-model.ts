import { checkModel, type ModelLimits } from "../../shared/model/check-model.ts";
import type { Model } from "../../shared/model/model.ts";
import { planModel } from "../../shared/model/plan-model.ts";
import { settleModel } from "../../shared/model/settle-model.ts";
import { type FieldProblem, Refusal } from "../../shared/protocol/errors.ts";
import type { Database } from "../store/database.ts";
import { applyPlan } from "../store/ddl/apply-plan.ts";
import { type MeasuredStep, measurePlan } from "../store/ddl/measure-plan.ts";
import { loadModelVersion, usedNames } from "../store/models.ts";
import { refusedByDatabase } from "./refused-by-database.ts";

export interface SaveModelDeps {
  database: Database;
  limits: ModelLimits;
  /** Called once a new version is in force. */
  onSaved: () => Promise<void>;
}

export interface SaveModelCall {
  /** What is wanted; its `version` is the one that it is based on. */
  model: Model;
  /** The author, as the log names them. */
  by: string;
  dryRun?: boolean;
  /** Lets a plan lose what it says that it loses. */
  confirmLoss?: boolean;
}

/** A plan as it was measured: what would happen, what it would cost, what stands in its way. */
export interface ModelPlan {
  version: number;
  steps: MeasuredStep[];
  lossy: boolean;
  blocked: boolean;
}

/**
 * Puts a new version of the model in force, or only says what that would do. Refuses with
 * `model_conflict` where it is based on another version than the one in force, with `validation_failed`
 * where it can't be, or would lose something that nobody agreed to lose.
 */
export async function saveModel(deps: SaveModelDeps, call: SaveModelCall): Promise<ModelPlan> {
  const { database } = deps;
  const standing = await loadModelVersion(database);
  const from = standing?.document ?? { version: 0, tables: [] };
  if (call.model.version !== from.version) throw movedOn(standing);
  const settled = settleModel(from, call.model, await usedNames(database));
  requireSound(settled, deps.limits);
  const steps = planModel(from, settled);
  const plan = planOf(
    from.version,
    await measurePlan(database.kysely, steps, { from, to: settled }),
  );
  if (call.dryRun || steps.length === 0) return plan;
  if (plan.blocked) throw stopped(plan, "blocked", "The records do not allow this yet.");
  const to = { ...settled, version: from.version + 1 };
  const lossConfirmed = call.confirmLoss ?? false;
  const applied = await applyPlan(database, { from, to, steps, by: call.by, lossConfirmed }).catch(
    (error) => {
      throw refusedByDatabase(error);
    },
  );
  if (applied === "moved") throw movedOn(await loadModelVersion(database));
  if (applied === "loses") {
    throw stopped(plan, "lossy", "This would lose what was entered. Confirm that it may.");
  }
  await deps.onSaved();
  return { ...plan, version: to.version };
}

function planOf(version: number, steps: MeasuredStep[]): ModelPlan {
  return {
    version,
    steps,
    lossy: steps.some(({ loses }) => loses),
    blocked: steps.some(({ blocked }) => blocked),
  };
}

function requireSound(model: Model, limits: ModelLimits): void {
  const problems = checkModel(model, limits);
  if (problems.length === 0) return;
  const fields = problems.map(({ path, message }): [string, FieldProblem] => [
    path.join("."),
    { rule: "model", message },
  ]);
  const detail = { problems, fields: Object.fromEntries(fields) };
  throw new Refusal("validation_failed", detail, problems[0]?.message);
}

function movedOn(standing: { version: number; by: string; at: string } | null): Refusal {
  const { version = 0, by = null, at = null } = standing ?? {};
  return new Refusal("model_conflict", { version, by, at });
}

function stopped(plan: ModelPlan, rule: "lossy" | "blocked", message: string): Refusal {
  return new Refusal("validation_failed", { rule, plan: plan.steps }, message);
}
