import type { Model } from "../../shared/model/model.ts";
import type { Database } from "../store/database.ts";
import { loadModel } from "../store/models.ts";

const noModel: Model = { version: 0, tables: [] };

/** The model in force on this node, and who wants to know when it becomes another. */
export interface CurrentModel {
  get(): Model;
  /**
   * Reads the newest version: what was committed before the call is in force after it. Listeners hear of it
   * only where it is another.
   */
  refresh(): Promise<void>;
  onChange(listener: (model: Model) => void): void;
}

/** Reads the model in force; before set-up it is empty. */
export async function createCurrentModel(database: Database): Promise<CurrentModel> {
  let model = (await loadModel(database)) ?? noModel;
  const listeners: ((model: Model) => void)[] = [];
  let reading: Promise<void> | null = null;
  let again = false;

  /** One reading at a time: of two at once the earlier might come later and undo the other. */
  const read = async () => {
    try {
      do {
        again = false;
        take((await loadModel(database)) ?? noModel);
      } while (again);
    } finally {
      reading = null;
    }
  };

  const take = (newest: Model) => {
    if (newest.version === model.version) return;
    model = newest;
    for (const listener of listeners) listener(model);
  };

  return {
    get: () => model,
    refresh() {
      if (reading) again = true;
      reading ??= read();
      return reading;
    },
    onChange(listener) {
      listeners.push(listener);
    },
  };
}
