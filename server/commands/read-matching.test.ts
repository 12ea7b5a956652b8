import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { defaultLimits } from "../../shared/limits.ts";
import type { QueryCall } from "../../shared/protocol/feed.ts";
import { readMatching } from "./read-page.ts";
import {
  type CommandEnvironment,
  createCommandEnvironment,
  testIdentity,
} from "./testing/command-environment.ts";

const ann = testIdentity("ann", "owner");
const ben = testIdentity("ben", "owner");
const RECORDS = 600;
const call: QueryCall = {
  table: "incidents",
  fields: ["title"],
  filter: { field: "title", op: "contains", value: "one of" },
};

describe.each(databases)("all records of a view on $name", (kind) => {
  let environment: CommandEnvironment;
  const run = async (text: string) => (await environment.database.pool.query(text)).rows;
  beforeAll(async () => {
    environment = await createCommandEnvironment(kind);
    await run(`insert into incidents (id, title)
      select 'r' || lpad(i::text, 3, '0'), 'one of many' from generate_series(1, ${RECORDS}) i`);
  });
  afterAll(() => environment[Symbol.asyncDispose]());

  /** Reads the view, with something done after each part. */
  const read = async (afterPart: (part: number) => Promise<unknown>, max = RECORDS) => {
    const { database, model } = environment;
    const deps = { database, model: () => model, limits: defaultLimits };
    let part = 0;
    const found: string[] = [];
    await readMatching(deps, ann.subject, call, {
      max,
      async use(records) {
        found.push(...records.map(({ id, values }) => `${id}: ${values.title}`));
      },
      read: (one) => one(),
      async paced(one) {
        const result = await one();
        await afterPart(part++);
        return { result };
      },
    });
    return found;
  };

  it("are read without a lock, a connection or a turn between the parts", async () => {
    const parts: number[] = [];
    const found = await read(async (part) => {
      parts.push(part);
      const open = "select 1 from pg_stat_activity where datname = current_database()";
      expect(await run(`${open} and state like 'idle in transaction%'`)).toEqual([]);
      await run("begin; lock table incidents in access exclusive mode; commit");
    });
    expect(new Set(found).size).toBe(RECORDS);
    expect(parts).toEqual([0, 1, 2, 3]);
    const node = environment.openNode({ READS_AT_ONCE: 1, READS_PER_USER: 1 });
    const ended: string[] = [];
    await Promise.all([
      node.readMatching(ann, call, RECORDS, async () => {}).then(() => ended.push("all")),
      node.readPage(ben, { ...call, limit: 1 }).then(() => ended.push("a page")),
    ]);
    expect(ended).toEqual(["a page", "all"]);
  });

  it("are those that matched at first, as they are when they are read, if they still match", async () => {
    const found = await read(async (part) => {
      if (part !== 0) return;
      await run("insert into incidents (id, title) values ('new', 'one of many')");
      await run("delete from incidents where id = 'r300'");
      await run("update incidents set title = 'another' where id = 'r301'");
      await run("update incidents set title = 'still one of them' where id = 'r302'");
    });
    expect(found).toHaveLength(RECORDS - 2);
    expect(found).toContain("r302: still one of them");
    expect(found.filter((one) => /^(new|r300|r301)/.test(one))).toEqual([]);
  });

  it("are counted where they are too many", async () => {
    const refused = read(async () => {}, 10);
    await expect(refused).rejects.toMatchObject({ code: "too_large", detail: { limit: 10 } });
    await expect(refused).rejects.toMatchObject({ detail: { size: RECORDS - 1 } });
  });
});
