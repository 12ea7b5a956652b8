import type { Limits } from "../../shared/limits.ts";
import type { Model } from "../../shared/model/model.ts";
import type { CurrentModel } from "./current-model.ts";
import type { Database, Db } from "./database.ts";
import type { LoadedRows } from "./load-for-write.ts";
import { publishedVersion } from "./models.ts";

/** A transaction was evaluated by a model that is not published any more: nothing of it may be committed. */
class ModelChanged extends Error {}

/**
 * Called once rows are locked: their tables can't change before the transaction has ended, so it is evaluated
 * and written by one model.
 */
export function requireModel(
  { modelVersion }: Pick<LoadedRows, "modelVersion">,
  model: Model,
): void {
  if (modelVersion !== model.version) throw new ModelChanged();
}

/**
 * No such column or table, a type that does not fit, a plan with other columns: Postgres errors of a
 * statement made by an old model.
 */
const shapeCodes = new Set(["42703", "42P01", "42804", "42883", "42846"]);

/** Whether a failure may be due to an old model: with the new one a repeat may succeed. */
function isModelChanged(error: unknown): boolean {
  const { code, message = "" } = error as { code?: string; message?: string };
  if (error instanceof ModelChanged || shapeCodes.has(code ?? "")) return true;
  return code === "0A000" && message.includes("cached plan");
}

/** Model changes during repeated attempts at one thing. */
const ATTEMPTS = 5;

/**
 * Runs a function by the published model; if that has changed meanwhile, again by the new one. `refresh` reads it, and throws if it has
 * not changed and a table does not fit it.
 */
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

/** What most commands work on (ADR 54). */
export interface Context {
  database: Database;
  model: CurrentModel;
  limits: Limits;
}

type Modelled = Pick<Context, "database" | "model">;

/** Reads by the published model; if another server has published one meanwhile, again by that. */
export function readByModel<Result>(
  { database, model }: Modelled,
  read: (model: Model) => Promise<Result>,
): Promise<Result> {
  return withPublishedModel(model.refreshAfterFailure, async () => {
    const current = model();
    const result = await read(current);
    requireModel({ modelVersion: await publishedVersion(database.kysely) }, current);
    return result;
  });
}

/** Writes in one transaction by the published model. `hold` takes a lock that publishing a model waits for. */
export function writeByModel(
  { database, model }: Modelled,
  hold: (tx: Db) => Promise<void>,
  write: (tx: Db, model: Model) => Promise<void>,
): Promise<void> {
  const attempt = () =>
    database.kysely.transaction().execute(async (tx) => {
      await hold(tx);
      const modelVersion = await publishedVersion(tx);
      const current = model();
      requireModel({ modelVersion }, current);
      await write(tx, current);
    });
  return withPublishedModel(model.refreshAfterFailure, attempt);
}
