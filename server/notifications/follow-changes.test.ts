import { afterEach, beforeEach, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { defaultLimits } from "../../shared/limits.ts";
import { idOfTable } from "../../shared/model/model.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "../model/testing/model-environment.ts";
import { readSpan } from "../store/feed-log.ts";
import { ChangeFollower, type RecentChanges } from "./follow-changes.ts";

let environment: ModelEnvironment;

beforeEach(async () => {
  const [kind] = databases;
  if (!kind) return expect.unreachable();
  environment = await createModelEnvironment(kind);
  await environment.change(({ tables }) => {
    tables.push(tableOf("tasks", [fieldOf("title"), fieldOf("assignee", { type: "person" })]));
    tables.push(tableOf("places", [fieldOf("title")]));
  });
  await environment.database.pool.query(`
    insert into watchfloor."user" (id, email, name, role, colour, status)
    values ('ann', 'ann@example.com', 'Ann', 'editor', 'blue', 'active')`);
  await follow("tasks");
});
afterEach(() => environment[Symbol.asyncDispose]());

const followerOf = (recent: RecentChanges) => {
  const { database, model } = environment;
  return new ChangeFollower({ database, model, limits: defaultLimits }, recent);
};
const follow = (table: string, recent: RecentChanges = () => null) =>
  followerOf(recent).step(table);

const write = (text: string) => environment.database.pool.query(text);

async function entries() {
  const { pool } = environment.database;
  const { rows } = await pool.query<{ record: string; parts: { count: number }[] }>(
    "select record, parts from watchfloor.inbox_entry order by record",
  );
  return rows.map(({ record, parts }) => ({ record, counts: parts.map(({ count }) => count) }));
}

/** What a server has in memory of a table that was written to: all of it, as the log had it. */
async function inMemory(name: string, count = 100): Promise<RecentChanges> {
  const all = await readSpan(environment.database, name, 0, count);
  return (table, { epoch, seq }) =>
    all?.table === table && all.epoch === epoch && seq >= 0 ? all.changes.slice(seq) : null;
}

it("takes changes that this server has in memory from there, once", async () => {
  await write("insert into tasks (id, title, assignee) values ('one', 'One', 'ann')");
  await write("insert into tasks (id, title) values ('two', 'Two')");
  const recent = await inMemory("tasks");
  await write("delete from watchfloor.numbering");
  await follow("tasks", recent);
  await follow("tasks", recent);
  expect(await entries()).toEqual([{ record: "one", counts: [1] }]);
});

it("takes no change from memory that the database does not have", async () => {
  await write("insert into tasks (id, title, assignee) values ('one', 'One', 'ann')");
  await write("insert into tasks (id, title, assignee) values ('lost', 'Lost', 'ann')");
  const recent = await inMemory("tasks");
  await write("update watchfloor.feed set head = head - 1 where table_name = 'tasks'");
  await follow("tasks", recent);
  expect(await entries()).toEqual([{ record: "one", counts: [1] }]);
});

it("enters what was assigned before a change of the model that it had not followed yet", async () => {
  await write("insert into tasks (id, title, assignee) values ('one', 'One', 'ann')");
  await environment.change(({ tables }) => {
    const [, assignee] = tables[0]?.fields ?? [];
    if (assignee) assignee.name = "owner";
  });
  await follow("tasks");
  expect(await entries()).toEqual([{ record: "one", counts: [1] }]);
});

it("is woken by tables in which somebody can be named or watches a record", async () => {
  const follower = followerOf(() => null);
  const woken = async () => (await follower.find(null)).flatMap(({ table }) => table ?? []);
  expect(await woken()).toEqual(["tasks"]);
  const places = environment.model().tables.find(({ name }) => name === "places");
  await write(`insert into watchfloor.watch (id, user_id, table_id, record)
    values ('w', 'ann', '${places?.id ?? "places"}', 'here')`);
  expect((await woken()).sort()).toEqual(["places", "tasks"]);
});

it("lets others have their turn between the parts of a long span", async () => {
  const count = 300;
  const some = `from generate_series(1, ${count}) n`;
  await write(`insert into tasks (id, title) select 't' || n, 'One' ${some}`);
  const table = environment.model().tables.find(({ name }) => name === "tasks");
  if (!table) return expect.unreachable();
  await write(`insert into watchfloor.watch (id, user_id, table_id, record)
    select 'w' || n, 'ann', '${idOfTable(table)}', 't' || n ${some}`);
  const recent = await inMemory("tasks", count);
  /** How often a change was looked at in each turn of the event loop. */
  const looks = [0];
  let counting = setImmediate(function count() {
    looks.push(0);
    counting = setImmediate(count);
  });
  const counted: RecentChanges = (...of) =>
    recent(...of)?.map((change) =>
      Object.defineProperty({ ...change }, "record", {
        get() {
          looks[looks.length - 1] = (looks.at(-1) ?? 0) + 1;
          return change.record;
        },
      }),
    ) ?? null;
  await follow("tasks", counted);
  clearImmediate(counting);
  expect(await entries()).toHaveLength(count);
  expect(looks.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(count * count);
  expect(Math.max(...looks)).toBeLessThan(5_000);
});
