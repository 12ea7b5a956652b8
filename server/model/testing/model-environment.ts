import type { DatabaseKind } from "../../../e2e/provision/databases.ts";
import { defaultLimits } from "../../../shared/limits.ts";
import type { Field, Model, Table } from "../../../shared/model/model.ts";
import type { ModelPlan } from "../../../shared/protocol/model.ts";
import { Commands } from "../../commands/commands.ts";
import { type CurrentModel, createCurrentModel } from "../../store/current-model.ts";
import { type Database, openDatabase } from "../../store/database.ts";
import { createMigrated } from "../../store/testing/store-environment.ts";
import { type Models, saveModel } from "../save-model.ts";

/** An empty installation whose model can be changed while it is used. */
export interface ModelEnvironment extends AsyncDisposable {
  /** The database as a superuser. */
  readonly adminUrl: string;
  database: Database;
  commands: Commands;
  models: Models;
  model: CurrentModel;
  errors: unknown[];
  /** Publishes a changed copy of the model, whatever it loses. */
  change(edit: (model: Model) => void): Promise<ModelPlan>;
}

export async function createModelEnvironment(kind: DatabaseKind): Promise<ModelEnvironment> {
  const own = await createMigrated(kind);
  const database = openDatabase({ connectionString: own.url, poolSize: 12, onError: () => {} });
  const model = await createCurrentModel(database);
  const errors: unknown[] = [];
  const commands = new Commands({
    database,
    model,
    limits: defaultLimits,
    onCommit: () => {},
    onError: (error) => errors.push(error),
  });
  const models = { database, limits: defaultLimits, onSaved: model.refresh };
  return {
    database,
    adminUrl: own.adminUrl,
    commands,
    models,
    model,
    errors,
    async change(edit) {
      const next = structuredClone(model());
      edit(next);
      return saveModel(models, { model: next, by: "user:owner", confirmLoss: true });
    },
    async [Symbol.asyncDispose]() {
      await commands.close();
      await database.close();
      await own.drop();
    },
  };
}

export function fieldOf(name: string, more: Partial<Field> = {}): Field {
  return { name, label: name, type: "text", ...more };
}

export function tableOf(name: string, fields: Field[], more: Partial<Table> = {}): Table {
  const display = fields[0]?.name ?? "";
  return { name, label: name, recordLabel: name, display, fields, columns: [], sort: [], ...more };
}
