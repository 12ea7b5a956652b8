import { type SqlBool, sql } from "kysely";
import type { WebhookDelivery, WebhookFailure } from "../../../shared/protocol/webhooks.ts";
import type { Db } from "../database.ts";
import {
  after,
  countOf,
  execute,
  firstOf,
  milliseconds,
  now,
  rowCount,
  sweptBefore,
} from "../statement.ts";

/** Table watchfloor.webhook_delivery: references to changes, and the outcome of each. */
export interface DeliveryRow
  extends Omit<WebhookDelivery, "version" | "reason" | "nextAt" | "error"> {
  n: number;
  epoch: string | null;
  seq: number | null;
  nextAt: string;
  /** Of `missed`: why. */
  error: WebhookFailure | "floor" | "epoch" | null;
}

const columns = [
  ...(["n", "id", "kind", "epoch", "seq", "record", "type", "state", "attempts"] as const),
  ...(["next_at as nextAt", "status", "error", "excerpt", "duration_ms as durationMs"] as const),
  ...(["created_at as createdAt", "attempted_at as attemptedAt"] as const),
] as const;

const isOpen = sql<SqlBool>`state in ('due', 'retrying')`;

export interface NewDelivery {
  id: string;
  seq: number;
  record: string;
}

/** Enters the deliveries of changes, in their order. */
export async function enterDeliveries(
  tx: Db,
  webhook: string,
  epoch: string,
  found: readonly NewDelivery[],
): Promise<void> {
  await execute(tx)`
    insert into watchfloor.webhook_delivery (id, webhook, kind, epoch, seq, record, state)
    select e.id, ${webhook}, 'change', ${epoch}, e.seq, e.record, 'due'
    from json_to_recordset(${JSON.stringify(found)}::json)
      as e (id text, seq bigint, record text) order by e.seq`;
}

/**
 * Takes deliveries that are due for an attempt, at most `limit`: of each record only the oldest, so that its later
 * events wait until that was delivered or given up. Nobody else attempts them within `holdMs`.
 */
export async function claimDeliveries(
  db: Db,
  webhook: string,
  { limit, holdMs }: { limit: number; holdMs: number },
): Promise<DeliveryRow[]> {
  const oldest = db
    .selectFrom("watchfloor.webhook_delivery")
    .select(["n", "next_at"])
    .distinctOn("record")
    .where("webhook", "=", webhook)
    .where(isOpen)
    .orderBy("record")
    .orderBy("n")
    .as("first");
  const due = db.selectFrom(oldest).select("first.n").where("first.next_at", "<=", now);
  const claimed = db
    .updateTable("watchfloor.webhook_delivery")
    .set({ attempts: sql`attempts + 1`, attempted_at: now, next_at: after(holdMs) })
    .where("n", "in", due.orderBy("first.n").limit(limit))
    .where("next_at", "<=", now)
    .where(isOpen);
  const rows = await claimed.returning(columns).execute();
  return rows.sort((one, other) => one.n - other.n);
}

export interface AttemptOutcome
  extends Pick<WebhookDelivery, "state" | "type" | "status" | "error" | "excerpt" | "durationMs"> {
  /** When the next attempt is due. */
  retryMs: number;
}

/** After so many failures in a row the receiver counts as having been away. */
const AWAY_FAILURES = 10;

/**
 * Stores the outcome of an attempt, unless another was made meanwhile. The first success after the receiver was unavailable
 * makes everything due that waits for its next attempt.
 */
export async function storeOutcome(
  db: Db,
  webhook: string,
  { n, attempts }: Pick<DeliveryRow, "n" | "attempts">,
  to: AttemptOutcome,
  holdMs: number,
): Promise<void> {
  const isFailed = to.error !== null;
  await execute(db)`
    with stored as (
      update watchfloor.webhook_delivery d
      set state = ${to.state}, type = ${to.type}, status = ${to.status}, error = ${to.error},
        excerpt = ${to.excerpt}, duration_ms = ${to.durationMs}, next_at = now() + ${milliseconds(to.retryMs)}
      where d.n = ${n} and d.attempts = ${attempts} and ${isOpen} returning webhook
    ), former as (select failures from watchfloor.webhook where id = ${webhook}
    ), counted as (
      update watchfloor.webhook w
      set failures = case when ${isFailed} then failures + 1 else 0 end
      where id in (select webhook from stored) and (${isFailed} or failures > 0)
        and ${to.state !== "skipped"}
    )
    update watchfloor.webhook_delivery d set next_at = now()
    from former where d.webhook = ${webhook} and d.state = 'retrying' and d.n <> ${n}
      and not ${isFailed}::boolean and former.failures >= ${AWAY_FAILURES}
      and d.attempted_at < now() - ${milliseconds(holdMs)}`;
}

/** Enters the outcome of a test. */
export async function insertTest(
  db: Db,
  webhook: string,
  id: string,
  to: AttemptOutcome,
): Promise<DeliveryRow> {
  const { type, state, status, error, excerpt, durationMs: duration_ms } = to;
  const outcome = { type, state, status, error, excerpt, duration_ms };
  return db
    .insertInto("watchfloor.webhook_delivery")
    .values({ id, webhook, kind: "test", ...outcome, attempts: 1, attempted_at: now })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Deliveries of a webhook, the newest first, before the one named. */
export async function listDeliveries(
  db: Db,
  webhook: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  const all = db.selectFrom("watchfloor.webhook_delivery").where("webhook", "=", webhook);
  const page = all.select(columns).orderBy("n", "desc").limit(limit);
  const earlier = (id: string) => page.where("n", "<", all.where("id", "=", id).select("n"));
  const rows = await (before === undefined ? page : earlier(before)).execute();
  return { rows, total: await countOf(all.select(rowCount)) };
}

/**
 * Makes the delivery of a change due again, as if it had not been attempted. One that is still open stays as it is: an
 * attempt may be in flight. Null: there is none.
 */
export function replayDelivery(db: Db, webhook: string, id: string): Promise<DeliveryRow | null> {
  const again = db
    .updateTable("watchfloor.webhook_delivery")
    .set({
      state: sql`case when ${isOpen} then state else 'due' end`,
      attempts: sql`case when ${isOpen} then attempts else 0 end`,
      next_at: sql`case when ${isOpen} then next_at else now() end`,
    })
    .where((eb) => eb.and({ webhook, id, kind: "change" }));
  return firstOf(again.returning(columns));
}

/** Deletes deliveries that are over: older ones, and of each webhook those beyond a number. */
export async function sweepDeliveries(db: Db, keepMs: number, perWebhook: number): Promise<void> {
  const over = "watchfloor.webhook_delivery where state not in ('due', 'retrying')";
  const before = sweptBefore(keepMs, "created_at", over);
  await execute(db)`
    delete from watchfloor.webhook_delivery d using (
      select w.id, (select n from watchfloor.webhook_delivery o where o.webhook = w.id
        order by n desc offset ${perWebhook} limit 1) as last from watchfloor.webhook w
    ) w
    where d.webhook = w.id and not (${isOpen})
      and (d.created_at < ${before} or d.n <= w.last)`;
}
