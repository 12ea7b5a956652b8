import type { DatabaseKind } from "../../../e2e/provision/databases.ts";
import type { Model } from "../../../shared/model/model.ts";
import { serviceDesk } from "../../model/templates/service-desk.ts";
import { type Database, openDatabase } from "../database.ts";
import { readSpan } from "../feed-log.ts";
import type { LogChange } from "../log-change.ts";
import { migrate } from "../migrations/migrate.ts";
import { installModel } from "../models.ts";

/** A fresh service desk without records, for tests of the store and of commands. */
export interface Desk extends AsyncDisposable {
  database: Database;
  url: string;
  model: Model;
  /** The whole feed of a table. */
  feed(table?: string): Promise<LogChange[]>;
}

export async function buildDesk(kind: DatabaseKind, model = serviceDesk): Promise<Desk> {
  const own = await kind.create();
  const database = openDatabase({ connectionString: own.url, poolSize: 12, onError: () => {} });
  await migrate(database);
  await installModel(database, model, "system:test");
  return {
    database,
    url: own.url,
    model,
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
