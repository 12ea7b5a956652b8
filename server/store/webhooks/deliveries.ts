import { sql } from "kysely";
import type { WebhookDelivery, WebhookFailure } from "../../../shared/protocol/webhooks.ts";
import type { Db } from "../database.ts";
import { execute, milliseconds, rowOf, rowsOf, sweptBefore } from "../statement.ts";

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

const columns = sql`d.n, d.id, d.kind, d.epoch, d.seq, d.record, d.type, d.state, d.attempts,
  d.next_at as "nextAt", d.status, d.error, d.excerpt, d.duration_ms as "durationMs",
  d.created_at as "createdAt", d.attempted_at as "attemptedAt"`;

const isOpen = sql`d.state in ('due', 'retrying')`;

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
  const rows = await rowsOf<DeliveryRow>(db)`
    update watchfloor.webhook_delivery d
    set attempts = attempts + 1, attempted_at = now(), next_at = now() + ${milliseconds(holdMs)}
    where d.n in (
      select n from (
        select distinct on (record) n, next_at from watchfloor.webhook_delivery d
        where webhook = ${webhook} and ${isOpen} order by record, n
      ) first where next_at <= now() order by n limit ${limit}
    ) and d.next_at <= now() and ${isOpen}
    returning ${columns}`;
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
  const row = await rowOf<DeliveryRow>(db)`
    insert into watchfloor.webhook_delivery as d (id, webhook, kind, type, state, attempts, status,
      error, excerpt, duration_ms, attempted_at)
    values (${id}, ${webhook}, 'test', ${to.type}, ${to.state}, 1, ${to.status}, ${to.error},
      ${to.excerpt}, ${to.durationMs}, now())
    returning ${columns}`;
  return row as DeliveryRow;
}

/** Deliveries of a webhook, the newest first, before the one named. */
export async function listDeliveries(
  db: Db,
  webhook: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  const rows = await rowsOf<DeliveryRow>(db)`
    select ${columns} from watchfloor.webhook_delivery d
    where d.webhook = ${webhook} and (${before ?? null}::text is null or d.n < (
      select n from watchfloor.webhook_delivery where id = ${before ?? null} and webhook = ${webhook}))
    order by d.n desc limit ${limit}`;
  const counted = await rowOf<{ total: number }>(db)`
    select count(*)::int as total from watchfloor.webhook_delivery where webhook = ${webhook}`;
  return { rows, total: counted?.total ?? 0 };
}

/**
 * Makes the delivery of a change due again, as if it had not been attempted. One that is still open stays as it is: an
 * attempt may be in flight. Null: there is none.
 */
export function replayDelivery(db: Db, webhook: string, id: string): Promise<DeliveryRow | null> {
  return rowOf<DeliveryRow>(db)`
    update watchfloor.webhook_delivery d set state = case when ${isOpen} then state else 'due' end,
      attempts = case when ${isOpen} then attempts else 0 end,
      next_at = case when ${isOpen} then next_at else now() end
    where d.webhook = ${webhook} and d.id = ${id} and d.kind = 'change'
    returning ${columns}`;
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
