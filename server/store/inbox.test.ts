import { afterAll, beforeAll, expect, it } from "vitest";
import { anyDatabase } from "../../e2e/provision/databases.ts";
import { INBOX_MAX_ENTRIES } from "../../shared/protocol/inbox.ts";
import { notifyUsers, sweepInbox } from "./inbox.ts";
import { createStoreEnvironment, type StoreEnvironment } from "./testing/store-environment.ts";

const DAY_MS = 86_400_000;
let environment: StoreEnvironment;

beforeAll(async () => {
  environment = await createStoreEnvironment(anyDatabase);
  await environment.database.pool.query(`
    insert into watchfloor."user" (id, email, name, role, colour, status)
    values ('ann', 'ann@example.com', 'Ann', 'editor', 'blue', 'active')`);
});
afterAll(() => environment?.[Symbol.asyncDispose]());

const entry = (record: string) => ({
  ...{ user: "ann", cause: "watch", table: "incidents", record, by: "user:ben" },
  ...{ event: "changed", position: { epoch: "e", seq: 1 } },
});
const enter = (records: readonly string[]) =>
  environment.database.kysely.transaction().execute((tx) =>
    notifyUsers(
      tx,
      records.map((record) => entry(record) as never),
    ),
  );
const records = async () => {
  const text = "select record from watchfloor.inbox_entry order by n";
  return (await environment.database.pool.query(text)).rows.map(({ record }) => record);
};

it("keeps the newest entries of a user", async () => {
  await enter(["oldest"]);
  await enter(Array.from({ length: INBOX_MAX_ENTRIES }, (_, index) => `r${index}`));
  const left = await records();
  expect(left).toHaveLength(INBOX_MAX_ENTRIES);
  expect(left).not.toContain("oldest");
});

it("deletes entries that are older than 90 days", async () => {
  const { kysely, pool } = environment.database;
  await pool.query(
    "update watchfloor.inbox_entry set at = now() - interval '91 days' where record <> 'r7'",
  );
  await sweepInbox(kysely, 90 * DAY_MS);
  expect(await records()).toEqual(["r7"]);
});

it("folds any number of changes of a record into one entry while it is unread", async () => {
  for (let change = 0; change < 20; change++) await enter(["folded", "folded"]);
  const { rows } = await environment.database.pool.query(
    "select parts from watchfloor.inbox_entry where record = 'folded'",
  );
  expect(rows).toMatchObject([{ parts: [{ count: 40 }] }]);
});
