import type { ModelLimits } from "../../shared/model/check-model.ts";
import type { ModelPlan } from "../../shared/protocol/model-plan.ts";
import type { Database } from "../store/database.ts";
import { listModelVersions, loadModelVersion, type ModelVersion } from "../store/models.ts";
import { type SaveModelCall, saveModel } from "./save-model.ts";

/** What may be asked of the model as a whole; who may is the door's to judge. */
export interface Models {
  save(call: SaveModelCall): Promise<ModelPlan>;
  /** Newest first. */
  versions(): Promise<Omit<ModelVersion, "document">[]>;
  /** A version, the newest unless told; null where there is none. */
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
