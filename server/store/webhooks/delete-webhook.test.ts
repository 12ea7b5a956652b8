import pg from "pg";
import { expect, it } from "vitest";
import { until } from "../../../e2e/harness/until.ts";
import { databases } from "../../../e2e/provision/databases.ts";
import { createStoreEnvironment } from "../testing/store-environment.ts";
import { deleteWebhook, findWebhook, insertWebhook } from "./webhooks.ts";

const WITHIN_MS = 30_000;

it.each(databases)(
  "is removed while the outcome of a delivery is stored, on $name",
  async (kind) => {
    await using environment = await createStoreEnvironment(kind);
    const { kysely, pool } = environment.database;
    const settings = {
      name: "Hook",
      url: "http://x.y",
      table: "incidents",
      filter: null,
      fields: null,
    };
    const by = { owner: "ana", token: null, secret: "s" };
    await insertWebhook(kysely, { id: "w", ...settings, ...by, events: ["created"] });
    await pool.query(`insert into watchfloor.delivery (id, webhook, kind, state)
    select 'd' || n, 'w', 'change', 'due' from generate_series(1, 3000) n`);
    const deliverer = new pg.Client({ connectionString: environment.url });
    await deliverer.connect();
    await deliverer.query("begin");
    // As an outcome is stored: the delivery, then the webhook.
    await deliverer.query("update watchfloor.delivery set attempts = 1 where id = 'd1500'");
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
  },
);
