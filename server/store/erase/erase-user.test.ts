import { afterAll, beforeAll, expect, it } from "vitest";
import { until } from "../../../e2e/harness/until.ts";
import { databases } from "../../../e2e/provision/databases.ts";
import { createStoreEnvironment, type StoreEnvironment } from "../testing/store-environment.ts";
import { EraseError } from "./erase-error.ts";
import { eraseUser } from "./erase-user.ts";

const WITHIN_MS = 60_000;
let environment: StoreEnvironment;

beforeAll(async () => {
  const [kind] = databases;
  if (!kind) return expect.unreachable();
  environment = await createStoreEnvironment(kind);
});
afterAll(() => environment?.[Symbol.asyncDispose]());

it("erases the user's inbox, watches, preferences, unsent mail and company accounts", async () => {
  const { kysely, pool } = environment.database;
  await pool.query(`
    insert into watchfloor."user" (id, email, name, role, colour, status)
    values ('eva', 'eva@example.com', 'Eva Erased', 'editor', 'blue', 'active');
    insert into watchfloor.delivery (id, kind, user_id, record, type, state, excerpt)
    values ('m', 'mail', 'eva', 'eva', 'digest', 'retrying', '550 eva@example.com unknown');
    insert into watchfloor.inbox_entry (user_id, cause, record) values ('eva', 'watch', 'i1');
    insert into watchfloor.watch (id, user_id, table_id, record) values ('w', 'eva', 'incidents', 'i1');
    insert into watchfloor.notification_settings (user_id) values ('eva');
    insert into watchfloor.linked_account (issuer, subject, user_id, provider)
    values ('https://sso.example.com', 's-eva', 'eva', 'company')`);
  await kysely.transaction().execute((tx) => eraseUser(tx, "eva@example.com"));
  const own = ["delivery", "inbox_entry", "watch", "notification_settings", "linked_account"];
  for (const table of own) {
    const { rows } = await pool.query(`select from watchfloor.${table} where user_id = 'eva'`);
    expect([table, rows.length]).toEqual([table, 0]);
  }
});

it("leaves an owner also where two are erased at the same moment", async () => {
  const { kysely, pool } = environment.database;
  await pool.query(`insert into watchfloor."user" (id, email, name, role, colour, status, password_hash)
    select id, id || '@example.com', 'Owner ' || id, 'owner', 'blue', 'active', 'a hash'
    from unnest(array['ann', 'bob']) id`);
  const erased = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const first = kysely.transaction().execute(async (tx) => {
    await eraseUser(tx, "ann@example.com");
    erased.resolve();
    await commit.promise;
  });
  await erased.promise;
  let isOver = false;
  const second = kysely
    .transaction()
    .execute((tx) => eraseUser(tx, "bob@example.com"))
    .catch((error: unknown) => error)
    .finally(() => {
      isOver = true;
    });
  await until("the second waits or is over", WITHIN_MS, async () => {
    const { rows } = await pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return isOver || rows.length > 0;
  });
  commit.resolve();
  await first;
  expect(await second).toBeInstanceOf(EraseError);
  const { rows } = await pool.query(
    `select id from watchfloor."user" where role = 'owner' and status = 'active'`,
  );
  expect(rows).toEqual([{ id: "bob" }]);
});

it("removes the linked accounts of a user, and leaves the break-glass owner", async () => {
  const { kysely, pool } = environment.database;
  await pool.query(`insert into watchfloor."user" (id, email, name, role, colour, status, password_hash)
    values ('cat', 'cat@example.com', 'Cat', 'viewer', 'blue', 'active', null),
      ('dan', 'dan@example.com', 'Dan', 'owner', 'blue', 'active', 'a hash')`);
  await pool.query(`insert into watchfloor.linked_account (issuer, subject, user_id, provider)
    values ('https://sso.example.com', 'c-1', 'cat', 'company')`);
  const erase = (email: string) => kysely.transaction().execute((tx) => eraseUser(tx, email));
  expect((await erase("cat@example.com")).counts).toMatchObject({ "linked account": 1 });
  expect((await pool.query("select from watchfloor.linked_account")).rowCount).toBe(0);
  await pool.query(`insert into watchfloor.platform (key, value) values ('sign_in_policy',
    '{"providerOnly": ["owner"], "secondFactor": [], "breakGlass": "dan"}')`);
  await expect(erase("dan@example.com")).rejects.toThrow("break-glass");
});
