import type { Model } from "../../shared/model/model.ts";
import type { LoadedRows } from "./load-for-write.ts";

/** A transaction was judged by a model that is not in force any more: nothing of it may be committed. */
class ModelChanged extends Error {}

/**
 * Asked once rows are locked: their tables can't change before the transaction has ended, so from
 * here on it is judged and written by one model.
 */
export function requireModel(
  { modelVersion }: Pick<LoadedRows, "modelVersion">,
  model: Model,
): void {
  if (modelVersion !== model.version) throw new ModelChanged();
}

/**
 * No such column or table, a type that does not fit, a plan that gives other columns: what Postgres
 * says when the model that a statement was made by is an old one.
 */
const shapeCodes = new Set(["42703", "42P01", "42804", "42883", "42846"]);

/** Whether a failure may be due to an old model: with the new one the same may succeed. */
function isModelChanged(error: unknown): boolean {
  const { code, message = "" } = error as { code?: string; message?: string };
  if (error instanceof ModelChanged || shapeCodes.has(code ?? "")) return true;
  return code === "0A000" && message.includes("cached plan");
}

/** Models that change while one thing is tried again and again. */
const ATTEMPTS = 5;

/** Does something by the model in force; when that has moved meanwhile, once more by the new one. */
export async function withPublishedModel<Result>(
  refresh: () => Promise<void>,
  attempt: () => Promise<Result>,
  undo: () => Promise<void> = async () => {},
): Promise<Result> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isModelChanged(error) || tried >= ATTEMPTS) throw error;
      await undo();
      await refresh();
    }
  }
}
