import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createStoreEnvironment,
  type StoreEnvironment,
} from "../../server/store/testing/store-environment.ts";
import { databases } from "../provision/databases.ts";
import { repositoryRoot } from "../suite/run-tool.ts";

const guide = readFileSync(`${repositoryRoot}/docs/guides/running.md`, "utf8");
/** The SQL of a section. Roles belong to the whole server, so those of a test have names of their own. */
const recipe = (heading: string, names: Record<string, string>) => {
  const [, section = ""] = guide.split(`### ${heading}\n`);
  const [text = ""] = section.split(/^##/m);
  const blocks = [...text.matchAll(/^```sql\n([\s\S]*?)^```/gm)].map(([, sql = ""]) => sql);
  expect(blocks.length).toBeGreaterThan(0);
  return blocks.map((sql) =>
    Object.entries(names).reduce(
      (changed, [name, own]) => changed.replaceAll(new RegExp(`\\b${name}\\b`, "g"), own),
      sql,
    ),
  );
};

describe.each(databases)("the guide's roles for other programs on $name", (kind) => {
  let environment: StoreEnvironment;
  let admin: pg.Client;
  const suffix = crypto.randomUUID().slice(0, 8);
  const [sync, reports] = [`sync_${suffix}`, `reports_${suffix}`];
  beforeAll(async () => {
    environment = await createStoreEnvironment(kind);
    admin = new pg.Client({ connectionString: environment.adminUrl });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.query("reset session authorization");
    for (const role of [sync, reports]) {
      await admin.query(`drop owned by ${role}; drop role ${role}`);
    }
    await admin.end();
    await environment[Symbol.asyncDispose]();
  });
  /** What a role is answered, or refused with. */
  const as = async (role: string, sql: string) => {
    await admin.query(`set session authorization ${role}`);
    try {
      const result = await admin.query(sql);
      return Array.isArray(result) ? [] : result.rows;
    } catch (error) {
      await admin.query("rollback");
      return (error as Error).message;
    } finally {
      await admin.query("reset session authorization");
    }
  };

  it("let a program write records, number them, and name itself", async () => {
    const [rights = "", write = ""] = recipe("Write records by SQL", { sync });
    const [withoutSequences = "", sequences = ""] = rights.split(/(?=grant usage)/);
    await admin.query(withoutSequences);
    const insert = `insert into public.incidents (id, title, location)
      values ('by-sql', 'By SQL', 'Floor 2') returning number`;
    expect(await as(sync, insert)).toMatch(/permission denied for sequence/);
    await admin.query(sequences);
    expect(await as(sync, insert)).toEqual([{ number: expect.stringMatching(/^INC\d+$/) }]);
    expect(await as(sync, write)).toEqual([]);
    const [first, second] = await environment.feed();
    expect([first?.by, second?.by]).toMatchObject([
      { kind: "external", id: sync },
      { kind: "external", id: "nightly import" },
    ]);
    expect(second?.after).toMatchObject({ location: "Floor 3" });
    expect(await as(sync, 'select * from watchfloor."user"')).toMatch(/permission denied/);
  });

  it("let a role read every table, also later ones, and write nothing", async () => {
    const watchfloor_server = decodeURIComponent(new URL(environment.url).username);
    const [sql = ""] = recipe("Read by SQL, for reports", { reports, watchfloor_server });
    await admin.query(sql);
    await environment.database.pool.query("create table later (id int)");
    expect(await as(reports, "select count(*)::int from later")).toEqual([{ count: 0 }]);
    expect(await as(reports, "select count(*)::int > 0 as has from incidents")).toEqual([
      { has: true },
    ]);
    expect(await as(reports, "delete from incidents")).toMatch(/permission denied/);
    expect(await as(reports, "select * from watchfloor.session")).toMatch(/permission denied/);
  });
});
