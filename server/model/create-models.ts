import type { ModelLimits } from "../../shared/model/check-model.ts";
import type { Database } from "../store/database.ts";
import { listModelVersions, loadModelVersion } from "../store/models.ts";
import { type SaveModelCall, saveModel } from "./save-model.ts";

/** The commands on the model as a whole; their callers authorise them. */
export type Models = ReturnType<typeof createModels>;

export function createModels(
  database: Database,
  limits: ModelLimits,
  onSaved: () => Promise<void>,
) {
  return {
    save: (call: SaveModelCall) => saveModel({ database, limits, onSaved }, call),
    /** Newest first. */
    versions: () => listModelVersions(database),
    /** A version, by default the newest; null if there is none. */
    version: (version?: number) => loadModelVersion(database, version ?? null),
  };
}
