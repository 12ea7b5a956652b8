import { type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Limits } from "../../shared/limits.ts";
import type { SystemInfo } from "../../shared/protocol/system.ts";
import type { WebhookDelivery, WebhookFailure } from "../../shared/protocol/webhooks.ts";
import type { Db } from "./database.ts";
import type { PlatformTables } from "./platform-tables.ts";
import {
  after,
  countOf,
  execute,
  firstOf,
  milliseconds,
  now,
  rowCount,
  rowOf,
  rowsOf,
  sweptBefore,
} from "./statement.ts";

/**
 * Table watchfloor.delivery, the outbox: references to what is sent, and the outcome of each. An outbox is that of one webhook, or that of
 * all mail (null). Webhooks send changes of records; mail is of one user, whose id takes the place of the record's.
 */
export interface DeliveryRow
  extends Omit<WebhookDelivery, "version" | "reason" | "nextAt" | "error" | "kind"> {
  n: number;
  kind: WebhookDelivery["kind"] | "mail";
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

type Outbox = string | null;

const isOf = (outbox: Outbox) => (eb: ExpressionBuilder<PlatformTables, "watchfloor.delivery">) =>
  outbox === null ? eb("webhook", "is", null) : eb("webhook", "=", outbox);

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
    insert into watchfloor.delivery (id, webhook, kind, epoch, seq, record, state)
    select e.id, ${webhook}, 'change', ${epoch}, e.seq, e.record, 'due'
    from json_to_recordset(${JSON.stringify(found)}::json)
      as e (id text, seq bigint, record text) order by e.seq`;
}

/** What a mail is about. */
export type MailType = "invitation" | "password_reset" | "notifications" | "digest";

/** Enters a mail to a user. One of the same type that was not sent yet is replaced: its link is not valid any more. */
export async function enterMail(
  tx: Db,
  { id, user, type }: { id: string; user: string; type: MailType },
): Promise<void> {
  const former = tx.updateTable("watchfloor.delivery").set({ state: "skipped" });
  await former
    .where((eb) => eb.and({ user_id: user, type, kind: "mail" }))
    .where(isOpen)
    .execute();
  await tx
    .insertInto("watchfloor.delivery")
    .values({ id, kind: "mail", user_id: user, record: user, type, state: "due" })
    .execute();
}

/** Whether a mail is due. */
export async function isMailDue(db: Db): Promise<boolean> {
  const due = db.selectFrom("watchfloor.delivery").select("n").where(isOf(null)).where(isOpen);
  return (await due.where("next_at", "<=", now).executeTakeFirst()) !== undefined;
}

/**
 * Takes deliveries that are due for an attempt, at most `limit`: of each record only the oldest, so that its later
 * events wait until that was delivered or given up. Nobody else attempts them within `holdMs`.
 */
export async function claimDeliveries(
  db: Db,
  outbox: Outbox,
  { limit, holdMs }: { limit: number; holdMs: number },
): Promise<DeliveryRow[]> {
  const oldest = db
    .selectFrom("watchfloor.delivery")
    .select(["n", "next_at"])
    .distinctOn("record")
    .where(isOf(outbox))
    .where(isOpen)
    .orderBy("record")
    .orderBy("n")
    .as("first");
  const due = db.selectFrom(oldest).select("first.n").where("first.next_at", "<=", now);
  const claimed = db
    .updateTable("watchfloor.delivery")
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

/** Nothing was to be sent. */
export const skipped = {
  state: "skipped",
  ...{ type: null, status: null, error: null, excerpt: null, durationMs: null, retryMs: 0 },
} as const satisfies AttemptOutcome;

const RETRY_FACTOR = 3;
/** Waits differ by up to this share, so that deliveries that failed together are not repeated together. */
const JITTER = 0.2;

/** The wait after an attempt: it grows exponentially, with jitter. */
export function retryDelay(limits: Limits, attempts: number): number {
  const grown = limits.WEBHOOK_RETRY_FIRST_MS * RETRY_FACTOR ** (attempts - 1);
  const wait = Math.min(grown, limits.WEBHOOK_RETRY_MAX_MS);
  return Math.round(wait * (1 - JITTER + 2 * JITTER * Math.random()));
}

/** After so many failures in a row the receiver counts as having been away. */
const AWAY_FAILURES = 10;

/**
 * Stores the outcome of an attempt, unless another was made meanwhile. The first success after the receiver was unavailable
 * makes everything due that waits for its next attempt.
 */
export async function storeOutcome(
  db: Db,
  outbox: Outbox,
  { n, attempts }: Pick<DeliveryRow, "n" | "attempts">,
  to: AttemptOutcome,
  holdMs: number,
): Promise<void> {
  const isFailed = to.error !== null;
  await execute(db)`
    with stored as (
      update watchfloor.delivery d
      set state = ${to.state}, type = case when webhook is null then type else ${to.type} end, status = ${to.status}, error = ${to.error},
        excerpt = ${to.excerpt}, duration_ms = ${to.durationMs}, next_at = now() + ${milliseconds(to.retryMs)}
      where d.n = ${n} and d.attempts = ${attempts} and ${isOpen} returning webhook
    ), former as (select failures from watchfloor.webhook where id = ${outbox}
    ), counted as (
      update watchfloor.webhook w
      set failures = case when ${isFailed} then failures + 1 else 0 end
      where id in (select webhook from stored) and (${isFailed} or failures > 0)
        and ${to.state !== "skipped"}
    )
    update watchfloor.delivery d set next_at = now()
    from former where d.webhook = ${outbox} and d.state = 'retrying' and d.n <> ${n}
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
    .insertInto("watchfloor.delivery")
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
  const all = db.selectFrom("watchfloor.delivery").where("webhook", "=", webhook);
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
    .updateTable("watchfloor.delivery")
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
  const over = "watchfloor.delivery where state not in ('due', 'retrying')";
  const before = sweptBefore(keepMs, "created_at", over);
  await execute(db)`
    delete from watchfloor.delivery d using (
      select w.id, (select n from watchfloor.delivery o where o.webhook = w.id
        order by n desc offset ${perWebhook} limit 1) as last from watchfloor.webhook w
      union all select null, null
    ) w
    where d.webhook is not distinct from w.id and not (${isOpen})
      and (d.created_at < ${before} or d.n <= w.last)`;
}

/** A copy beside the original must not send its mail, too. */
export async function skipOpenMail(tx: Db): Promise<void> {
  const open = tx.updateTable("watchfloor.delivery").where(isOf(null)).where(isOpen);
  await open.set({ state: "skipped" }).execute();
}

const LISTED = 20;

/** How the mail of the installation is doing. */
export async function readMailState(
  db: Db,
): Promise<Pick<SystemInfo["mail"], "open" | "givenUp" | "lastSentAt" | "recent">> {
  const counts = await rowOf<{ open: number; givenUp: number; lastSentAt: string | null }>(db)`
    select count(*) filter (where ${isOpen})::int as open,
      count(*) filter (where state = 'given_up')::int as "givenUp",
      max(attempted_at) filter (where state = 'delivered') as "lastSentAt"
    from watchfloor.delivery where webhook is null`;
  const recent = await rowsOf<SystemInfo["mail"]["recent"][number]>(db)`
    select d.id, d.type, u.name as "user", d.state, d.attempts, d.status, d.error, d.excerpt,
      d.created_at as "createdAt",
      d.attempted_at as "attemptedAt", case when ${isOpen} then d.next_at end as "nextAt"
    from watchfloor.delivery d join watchfloor."user" u on u.id = d.user_id
    where d.webhook is null and (${isOpen} or d.state = 'given_up')
    order by d.n desc limit ${LISTED}`;
  return { open: 0, givenUp: 0, lastSentAt: null, ...counts, recent };
}
