import type { Model } from "../../shared/model/model.ts";
import type { Database } from "../store/database.ts";
import { loadModel } from "../store/models.ts";

const noModel: Model = { version: 0, tables: [] };

/** The model in force on this node, and who wants to know when it becomes another. */
export interface CurrentModel {
  get(): Model;
  /** Reads the newest version; listeners hear of it only where it is another. */
  refresh(): Promise<void>;
  onChange(listener: (model: Model) => void): void;
}

/** Reads the model in force; before set-up it is empty. */
export async function createCurrentModel(database: Database): Promise<CurrentModel> {
  let model = (await loadModel(database)) ?? noModel;
  const listeners: ((model: Model) => void)[] = [];
  return {
    get: () => model,
    async refresh() {
      const newest = (await loadModel(database)) ?? noModel;
      if (newest.version === model.version) return;
      model = newest;
      for (const listener of listeners) listener(model);
    },
    onChange(listener) {
      listeners.push(listener);
    },
  };
}
