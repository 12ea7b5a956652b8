import type { TestDatabase } from "../../../e2e/provision/create-database.ts";
import type { DatabaseKind } from "../../../e2e/provision/databases.ts";
import type { Model } from "../../../shared/model/model.ts";
import { serviceDesk } from "../../model/templates/service-desk.ts";
import { type Database, openDatabase } from "../database.ts";
import { readSpan } from "../feed-log.ts";
import type { LogChange } from "../log-change.ts";
import { installModel } from "../models.ts";
import { migrate } from "../schema/migrate.ts";

/** A fresh service desk without records, for tests of the store and of commands. */
export interface StoreEnvironment extends AsyncDisposable {
  database: Database;
  url: string;
  /** As a superuser. */
  adminUrl: string;
  model: Model;
  /** The whole feed of a table. */
  feed(table?: string): Promise<LogChange[]>;
}

/** A fresh database with the schema of Watchfloor, and nothing in it. */
export function createMigrated(kind: DatabaseKind): Promise<TestDatabase> {
  return kind.createPrepared("migrated", (empty) => prepare(empty, null));
}

async function prepare({ url }: TestDatabase, model: Model | null): Promise<void> {
  const database = openDatabase({ connectionString: url, poolSize: 2, onError: () => {} });
  await migrate(database);
  if (model) await installModel(database, model, "system:test");
  await database.close();
}

export async function createStoreEnvironment(
  kind: DatabaseKind,
  model = serviceDesk,
): Promise<StoreEnvironment> {
  const own =
    model === serviceDesk
      ? await kind.createPrepared("service_desk", (empty) => prepare(empty, serviceDesk))
      : await createMigrated(kind);
  const database = openDatabase({ connectionString: own.url, poolSize: 12, onError: () => {} });
  if (model !== serviceDesk) await installModel(database, model, "system:test");
  return {
    database,
    url: own.url,
    adminUrl: own.adminUrl,
    // A test may change its own.
    model: structuredClone(model),
    async feed(table = "incidents") {
      const changes: LogChange[] = [];
      for (;;) {
        const span = await readSpan(database, table, changes.length, 5_000);
        if (!span?.changes.length) return changes;
        changes.push(...span.changes);
      }
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      await own.drop();
    },
  };
}
