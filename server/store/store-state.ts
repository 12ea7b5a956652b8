import type { SystemInfo } from "../../shared/protocol/system.ts";
import type { Db } from "./database.ts";
import { countOf, rowCount, rowOf } from "./statement.ts";

/** What the screen of the system shows of the database. */
type StoreState = Omit<SystemInfo["database"], "tablesOff"> &
  Omit<SystemInfo["queues"], "waitingMutations">;

export async function readStoreState(db: Db): Promise<StoreState> {
  const row = await rowOf<StoreState>(db)`
    select current_setting('server_version') as version,
      pg_database_size(current_database())::float8 as "sizeBytes",
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::int as "maxConnections",
      (select count(*)::int from watchfloor.delivery
        where webhook is not null and state in ('due', 'retrying')) as "openDeliveries",
      (select count(*)::int from watchfloor.delivery
        where webhook is not null and state = 'given_up') as "failedDeliveries",
      (select count(*)::int from watchfloor.webhook where paused) as "pausedWebhooks",
      (select count(*)::int from watchfloor.change_set
        where state = 'applying') as "applyingChangeSets"`;
  return row as StoreState;
}

/** How many open deliveries of webhooks there are, for the metrics. */
export function countOpenDeliveries(db: Db): Promise<number> {
  const deliveries = db.selectFrom("watchfloor.delivery").select(rowCount);
  const ofWebhooks = deliveries.where("webhook", "is not", null);
  return countOf(ofWebhooks.where("state", "in", ["due", "retrying"]));
}
