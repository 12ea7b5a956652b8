import type { ModelLimits } from "../../shared/model/check-model.ts";
import type { ModelPlan } from "../../shared/protocol/model-plan.ts";
import type { Database } from "../store/database.ts";
import { listModelVersions, loadModelVersion, type ModelVersion } from "../store/models.ts";
import { type SaveModelCall, saveModel } from "./save-model.ts";

/** The commands on the model as a whole; their callers authorise them. */
export interface Models {
  save(call: SaveModelCall): Promise<ModelPlan>;
  /** Newest first. */
  versions(): Promise<Omit<ModelVersion, "document">[]>;
  /** A version, by default the newest; null if there is none. */
  version(version?: number): Promise<ModelVersion | null>;
}

export function createModels(
  database: Database,
  limits: ModelLimits,
  onSaved: () => Promise<void>,
): Models {
  return {
    save: (call) => saveModel({ database, limits, onSaved }, call),
    versions: () => listModelVersions(database),
    version: (version) => loadModelVersion(database, version ?? null),
  };
}
