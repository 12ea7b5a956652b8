import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { openDatabase } from "./database.ts";
import { migrate } from "./schema/migrate.ts";

/** Columns by table as the types declare them: `name: type`, where a type says `null` and `default`. */
function declaredTables(): Map<string, Map<string, string>> {
  const text = readFileSync(new URL("platform-tables.ts", import.meta.url), "utf8");
  const bodies = new Map(
    [...text.matchAll(/^(?:export )?interface (\w+) \{\n(.*?)^\}/gms)].map(([, name, body]) => [
      name,
      body,
    ]),
  );
  const tables = bodies.get("PlatformTables") ?? "";
  return new Map(
    [...tables.matchAll(/"watchfloor\.(\w+)": (\w+);/g)].map(([, table = "", name]) => {
      const columns = [...(bodies.get(name) ?? "").matchAll(/^ {2}(\w+): (.+);$/gm)];
      return [table, new Map(columns.map(([, column = "", type = ""]) => [column, kindOf(type)]))];
    }),
  );
}

function kindOf(type: string): string {
  const hasDefault = type.startsWith("Generated") || type.includes("WithDefault");
  const isNullable = type.includes("null") || type.startsWith("JsonbOrNull");
  return `${hasDefault ? "default" : "required"} ${isNullable ? "nullable" : "not null"} ${baseOf(type)}`;
}

function baseOf(type: string): string {
  if (type.startsWith("Jsonb")) return "jsonb";
  if (type.startsWith("Texts") || type.endsWith("[]")) return "array";
  return /number|boolean/.exec(type)?.[0] ?? "string";
}

it("declares each of our tables as it is in the database", async () => {
  const [kind] = databases;
  const own = await kind?.create();
  if (!own) throw new Error("no database");
  const database = openDatabase({
    connectionString: own.url,
    poolSize: 2,
    onError: () => undefined,
  });
  await migrate(database);
  const { rows } = await database.pool.query<{ table: string; column: string; kind: string }>(`
    select c.relname as table, a.attname as column, concat_ws(' ',
      case when a.atthasdef or a.attidentity <> '' then 'default' else 'required' end,
      case when a.attnotnull then 'not null' else 'nullable' end,
      case when t.typcategory = 'A' then 'array' when t.typcategory = 'N' then 'number'
        when t.typname = 'jsonb' then 'jsonb' when t.typname = 'bool' then 'boolean' else 'string' end) as kind
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'watchfloor'::regnamespace and c.relkind = 'r'
      and c.relname not in ('migration', 'migration_lock') and a.attnum > 0 and not a.attisdropped`);
  const names = new Set(rows.map(({ table }) => table));
  expect([...declaredTables().keys()].sort()).toEqual([...names].sort());
  for (const [table, columns] of declaredTables()) {
    const stored = rows.filter((row) => row.table === table);
    const found = Object.fromEntries(stored.map(({ column, kind }) => [column, kind]));
    expect({ table, ...Object.fromEntries(columns) }).toEqual({ table, ...found });
  }
  await database.close();
  await own.drop();
});
