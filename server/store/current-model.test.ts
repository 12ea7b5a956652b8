import { expect, it } from "vitest";
import { anyDatabase } from "../../e2e/provision/databases.ts";
import { createCurrentModel } from "./current-model.ts";
import { type Database, openDatabase } from "./database.ts";
import { migrate } from "./schema/migrate.ts";

async function put(database: Database, version: number): Promise<void> {
  const text = "insert into watchfloor.model (version, document, by) values ($1, $2, 'system')";
  const document = { version, tables: [] };
  await database.pool.query(text, [version, JSON.stringify(document)]);
}

it("a model that was requested earlier and arrives later does not replace a newer one", async () => {
  const own = await anyDatabase.create();
  if (!own) throw new Error("There is no database to test on.");
  const onError = () => undefined;
  const database = openDatabase({ connectionString: own.url, poolSize: 4, onError });
  await migrate(database);
  await put(database, 1);
  const model = await createCurrentModel(database);
  const versions: number[] = [];
  model.onChange(({ version }) => versions.push(version));
  await put(database, 2);
  // two answers are requested one after the other, and each may arrive first
  for (let version = 2; version < 60; version += 1) {
    const refreshes = [model.refresh(), put(database, version + 1).then(() => model.refresh())];
    refreshes.push(model.refresh(), model.refresh());
    await Promise.all(refreshes);
    expect(model().version).toBe(version + 1);
  }
  expect(versions).toEqual([...versions].sort((a, b) => a - b));
  await database.close();
  await own.drop();
});
