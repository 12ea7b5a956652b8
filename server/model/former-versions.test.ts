import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anyDatabase } from "../../e2e/provision/databases.ts";
import type { Model } from "../../shared/model/model.ts";
import { openDatabase } from "../store/database.ts";
import { usedNames, withEarlierTables } from "../store/models.ts";
import { migrate, migrateTo } from "../store/schema/migrate.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "./testing/model-environment.ts";

/** Each step removes, renames or restores something. */
const steps: ((model: Model) => void)[] = [
  ({ tables }) =>
    tables.push(
      tableOf(
        "jobs",
        ["title", "place", "size"].map((name) => fieldOf(name)),
      ),
    ),
  ({ tables }) => tables.push(tableOf("teams", [fieldOf("name"), fieldOf("chief")])),
  ({ tables }) => tables[0]?.fields.splice(1, 1),
  ({ tables: [jobs] }) => {
    Object.assign(jobs?.fields[0] ?? {}, { name: "heading" });
    Object.assign(jobs ?? {}, { display: "heading" });
  },
  ({ tables }) => tables[0]?.fields.splice(1, 1),
  ({ tables }) => tables[1]?.fields.push(fieldOf("place")),
  ({ tables }) => tables.splice(0, 1),
  ({ tables }) => Object.assign(tables[0] ?? {}, { label: "Groups" }),
  ({ tables }) => tables.push(tableOf("jobs", [fieldOf("title")])),
  ({ tables }) => tables.splice(0, 1),
];

describe("what former versions of the model had", () => {
  let environment: ModelEnvironment;
  beforeAll(async () => {
    environment = await createModelEnvironment(anyDatabase);
    for (const step of steps) await environment.change(step);
  });
  afterAll(() => environment[Symbol.asyncDispose]());

  it("is the same, recorded by each publication or by the upgrade of a database", async () => {
    const { database } = environment;
    const { rows } = await database.pool.query<{ version: number; document: Model }>(
      "select version, document from watchfloor.model order by version",
    );
    const own = await anyDatabase.create();
    const upgraded = openDatabase({ connectionString: own.url, poolSize: 2, onError: () => {} });
    await upgraded.pool.query("create schema watchfloor");
    await migrateTo(upgraded.kysely, "schema-4");
    for (const { version, document } of rows) {
      await upgraded.pool.query("insert into watchfloor.model values ($1, $2, 'system:test')", [
        version,
        JSON.stringify(document),
      ]);
    }
    await migrate(upgraded);
    const model = environment.model();
    const earlier = await withEarlierTables(database.kysely, model);
    expect(await withEarlierTables(upgraded.kysely, model)).toEqual(earlier);
    const removed = earlier.tables.slice(model.tables.length);
    expect(removed.map(({ fields }) => fields.map(({ name }) => name))).toEqual([
      ["name", "chief", "place"],
      ["heading", "size, removed", "place, removed"],
    ]);
    const names = async (db: typeof database) => {
      const { tables, fields } = await usedNames(db, model);
      const present = new Set(model.tables.map(({ id }) => id));
      const listed = tables.filter((id) => !present.has(id)).sort();
      return listed.map((id) => [id, [...(fields[id] ?? [])].sort()]);
    };
    expect(await names(upgraded)).toEqual(await names(database));
    await upgraded.close();
    await own.drop();
  });

  it("is not looked up in their documents, so that a publication costs the same after a thousand", async () => {
    const { database } = environment;
    const { version } = environment.model();
    await database.pool.query(
      `update watchfloor.model set document = '{"tables": "not read"}' where version < $1`,
      [version],
    );
    await environment.change(({ tables }) =>
      Object.assign(tables[0] ?? {}, { label: "Jobs again" }),
    );
    expect(environment.model().version).toBe(version + 1);
  });
});
