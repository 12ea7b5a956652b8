import { expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { sweepChangeSets } from "./change-sets/change-sets.ts";
import { sweepComments } from "./comments.ts";
import type { Db } from "./database.ts";
import { sweepDeliveries } from "./deliveries.ts";
import { createStoreEnvironment } from "./testing/store-environment.ts";
import { markWallboardRemoved } from "./tiles/wallboards.ts";
import { deleteOldSecurityEvents } from "./users/security-events.ts";
import { sweepViews } from "./views/views.ts";

const DAY_MS = 86_400_000;
const ROWS = 20;

/** What a sweep deletes: the table with the columns of its rows, and the values of row `i` that is so old as `at`. */
const swept: [string, string, (db: Db) => Promise<unknown>][] = [
  [
    "change_set (id, title, author, origin, updated_at)",
    "i, 'Set', 'user:a', 'bulk', at",
    (db) => sweepChangeSets(db, DAY_MS),
  ],
  ["security_event (kind, at)", "'sign_in', at", (db) => deleteOldSecurityEvents(db, DAY_MS)],
  [
    "view (id, table_name, name, shared, look, removed_at)",
    "i, 'incidents', i, true, '{}', at",
    sweepViews,
  ],
  [
    "comment (id, table_id, record, author, text, removed_at)",
    "i, 'incidents', 'r', 'user:a', 'Text', at",
    sweepComments,
  ],
  [
    "wallboard (id, draft, removed_at)",
    "i, '{}', at",
    (db) => markWallboardRemoved(db, "there is none"),
  ],
  [
    "delivery (id, webhook, kind, state, created_at)",
    "i, 'hook', 'change', case when i = 0 then 'due' else 'delivered' end, at",
    (db) => sweepDeliveries(db, DAY_MS, 10 * ROWS),
  ],
];

it.each(swept)(
  "deletes six hours of a table at a time if all is old at once: %s",
  async (columns, values, sweep) => {
    const [kind] = databases;
    if (!kind) return expect.unreachable();
    await using environment = await createStoreEnvironment(kind);
    const { kysely, pool } = environment.database;
    await pool.query(`insert into watchfloor.webhook
      (id, name, url, table_name, events, owner, secret, epoch, seq)
      values ('hook', 'Hook', 'https://example.com', 'incidents', '[]', 'a', '', 'e', 0)`);
    await pool.query(`insert into watchfloor.${columns} select ${values} from (
      select i, now() - interval '400 days' + i * interval '1 hour' as at
      from generate_series(0, ${ROWS}) i) r`);
    const [name] = columns.split(" ");
    const left: number[] = [];
    for (let time = 0; time < 4; time += 1) {
      await sweep(kysely);
      const { rows } = await pool.query(
        `select count(*)::int as left from watchfloor.${name}
         where ${name === "delivery" ? "state <> 'due'" : "true"}`,
      );
      left.push(rows[0].left);
    }
    // Six or seven at a time: the bound itself may be deleted or not.
    const least = left.map((_, time) => ROWS - 7 * (time + 1));
    expect(left.map((count, time) => count >= (least[time] ?? 0))).not.toContain(false);
    expect(left.at(-1)).toBe(0);
  },
);
