import pg from "pg";
import { expect, it } from "vitest";
import { until } from "../../../e2e/harness/until.ts";
import { anyDatabase, databases } from "../../../e2e/provision/databases.ts";
import { rowsOf } from "../statement.ts";
import { createStoreEnvironment, type StoreEnvironment } from "../testing/store-environment.ts";
import { deleteWebhook, findWebhook, insertWebhook } from "./webhooks.ts";

const WITHIN_MS = 30_000;

const DELIVERIES = 30_000;

/** A webhook with many deliveries in a state. */
async function insertWithDeliveries({ database }: StoreEnvironment, state: string): Promise<void> {
  const settings = { name: "Hook", url: "http://x.y", table: "incidents" };
  const by = { owner: "ana", token: null, secret: "s" };
  const all = { filter: null, fields: null, events: ["created" as const] };
  await insertWebhook(database.kysely, { id: "w", ...settings, ...by, ...all });
  await database.pool.query(
    `insert into watchfloor.delivery (id, webhook, kind, state)
      select 'd' || n, 'w', 'change', $1 from generate_series(1, ${DELIVERIES}) n`,
    [state],
  );
}

it("is found without reading what it has delivered", async () => {
  await using environment = await createStoreEnvironment(anyDatabase);
  await insertWithDeliveries(environment, "delivered");
  const { kysely, pool } = environment.database;
  await pool.query(`update watchfloor.delivery set attempted_at = now(),
    state = case id when 'd7' then 'given_up' else state end`);
  await pool.query("vacuum analyze watchfloor.delivery");
  await kysely.transaction().execute(async (tx) => {
    const rowsRead = async () => {
      const [read] = await rowsOf<{ n: number }>(tx)`
        select pg_stat_get_xact_tuples_returned('watchfloor.delivery'::regclass)::int as n`;
      return read?.n ?? 0;
    };
    const before = await rowsRead();
    expect(await findWebhook(tx, "w")).toMatchObject({ open: 0, givenUp: 1 });
    expect((await rowsRead()) - before).toBe(0);
  });
});

it.each(databases)(
  "is removed while the outcome of a delivery is stored, on $name",
  async (kind) => {
    await using environment = await createStoreEnvironment(kind);
    await insertWithDeliveries(environment, "due");
    const { kysely, pool } = environment.database;
    const deliverer = new pg.Client({ connectionString: environment.url });
    await deliverer.connect();
    await deliverer.query("begin");
    // As an outcome is stored: the delivery, then the webhook.
    await deliverer.query("update watchfloor.delivery set attempts = 1 where id = 'd15000'");
    const removed = kysely.transaction().execute((tx) => deleteWebhook(tx, "w"));
    await until("the removal waits", WITHIN_MS, async () => {
      const { rows } = await pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await deliverer.query("update watchfloor.webhook set failures = 1 where id = 'w'");
    await deliverer.query("commit");
    await removed;
    await deliverer.end();
    expect(await findWebhook(kysely, "w")).toBeNull();
    const { rows } = await pool.query("select count(*)::int as left from watchfloor.delivery");
    expect(rows).toEqual([{ left: 0 }]);
  },
);
