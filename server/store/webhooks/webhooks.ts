import { sql } from "kysely";
import type { Position } from "../../../shared/protocol/position.ts";
import type { WebhookInfo } from "../../../shared/protocol/webhooks.ts";
import type { Db } from "../database.ts";
import { enterDeliveries, type NewDelivery } from "../deliveries.ts";
import { isPresent } from "../feed-log.ts";
import {
  after,
  countOf,
  execute,
  hold,
  now,
  rowCount,
  rowOf,
  rowsOf,
  rowsWritten,
  wrote,
  wroteRow,
} from "../statement.ts";

/** Table watchfloor.webhook, with what its deliveries and its feed say of it. */
export interface WebhookRow
  extends Omit<WebhookInfo, "table" | "owner" | "isMine" | "token" | "state" | "reason" | "last"> {
  table: string;
  owner: string;
  ownerName: string | null;
  /** The API token that created it; null: its owner did. */
  token: string | null;
  tokenName: string | null;
  /** Encrypted. */
  secret: string;
  /** Null once it signs no more. */
  formerSecret: string | null;
  paused: boolean;
  epoch: string;
  seq: number;
  missed: "floor" | "epoch" | null;
  lastAt: string | null;
  lastOk: boolean | null;
  lastStatus: number | null;
  /** The feed of its table: null once the table was removed. */
  feedEpoch: string | null;
  head: number | null;
  /** Whether its position belongs to the present history of the feed. */
  isHeld: boolean | null;
  modelVersion: number;
}

const selected = sql`
  select w.id, w.name, w.url, w.table_name as "table", w.events, w.filter, w.fields, w.owner,
    u.name as "ownerName", w.token, t.name as "tokenName", w.secret, w.paused, w.epoch, w.seq, w.failures, w.missed,
    case when w.former_secret_until > now() then w.former_secret end as "formerSecret",
    case when w.former_secret_until > now() then w.former_secret_until end as "formerSecretUntil",
    w.missed_at as "missedAt", w.created_at as "createdAt",
    (select count(*)::int from watchfloor.delivery d
      where d.webhook = w.id and d.state in ('due', 'retrying')) as open,
    (select count(*)::int from watchfloor.delivery d
      where d.webhook = w.id and d.state = 'given_up' and d.kind = 'change') as "givenUp",
    l.attempted_at as "lastAt", l.state = 'delivered' as "lastOk", l.status as "lastStatus",
    f.epoch as "feedEpoch", f.head, ${sql.raw(isPresent("f", "w.epoch", "w.seq"))} as "isHeld",
    (select coalesce(max(version), 0)::int from watchfloor.model) as "modelVersion"
  from watchfloor.webhook w
  left join watchfloor."user" u on u.id = w.owner
  left join watchfloor.api_token t on t.id = w.token
  left join watchfloor.feed f on f.table_name = w.table_name
  left join lateral (
    select d.attempted_at, d.state, d.status from watchfloor.delivery d
    where d.webhook = w.id and d.attempted_at is not null order by d.n desc limit 1) l on true`;

/** All of them, by name. */
export function listWebhooks(db: Db): Promise<WebhookRow[]> {
  return rowsOf<WebhookRow>(db)`${selected} order by lower(w.name), w.id`;
}

/** What each webhook sends of which table, without its deliveries. */
export function listWebhookFilters(db: Db) {
  return db
    .selectFrom("watchfloor.webhook")
    .select(["id", "name", "table_name", "filter", "fields", "owner"])
    .orderBy("id")
    .execute();
}

export function findWebhook(db: Db, id: string): Promise<WebhookRow | null> {
  return rowOf<WebhookRow>(db)`${selected} where w.id = ${id}`;
}

/** The webhooks that deliver, of these tables or of all, and whether something is due. */
export function findActiveWebhooks(
  db: Db,
  tables: readonly string[] | null,
): Promise<{ id: string; table: string; isDue: boolean }[]> {
  return rowsOf<{ id: string; table: string; isDue: boolean }>(db)`
    select w.id, w.table_name as "table", (f.epoch, f.head) is distinct from (w.epoch, w.seq) or exists (
        select from watchfloor.delivery d where d.webhook = w.id
          and d.state in ('due', 'retrying') and d.next_at <= now()) as "isDue"
    from watchfloor.webhook w join watchfloor.feed f on f.table_name = w.table_name
    where not w.paused and (${tables}::text[] is null or w.table_name = any(${tables}::text[]))`;
}

/** Until the transaction ends nobody else writes a webhook: names and numbers do not change. */
export async function holdWebhooks(tx: Db): Promise<void> {
  await hold(tx, "webhook");
}

export function countWebhooks(tx: Db): Promise<number> {
  return countOf(tx.selectFrom("watchfloor.webhook").select(rowCount));
}

type NewWebhook = Pick<
  WebhookRow,
  "id" | "name" | "url" | "table" | "events" | "filter" | "fields" | "owner" | "token" | "secret"
>;

/** Adds one at the head of its table's feed. */
export async function insertWebhook(tx: Db, hook: NewWebhook): Promise<void> {
  const json = asJson(hook);
  await execute(tx)`
    insert into watchfloor.webhook
      (id, name, url, table_name, events, filter, fields, owner, token, secret, epoch, seq)
    select ${hook.id}, ${hook.name}, ${hook.url}, table_name, ${json.events}::jsonb,
      ${json.filter}::jsonb, ${json.fields}::jsonb, ${hook.owner}, ${hook.token}, ${hook.secret}, epoch, head
    from watchfloor.feed where table_name = ${hook.table}`;
}

/** Where a webhook has lost changes: it goes on from `to`, and says so until somebody resumes it. */
export function noteMissed(
  tx: Db,
  hook: Pick<WebhookRow, "id" | "epoch" | "seq">,
  to: Position,
  reason: "floor" | "epoch",
): Promise<boolean> {
  return wroteRow(tx)`
    with moved as (
      update watchfloor.webhook set epoch = ${to.epoch}, seq = ${to.seq}, missed = ${reason},
        missed_at = now()
      where id = ${hook.id} and epoch = ${hook.epoch} and seq = ${hook.seq} returning id
    )
    insert into watchfloor.delivery (id, webhook, kind, epoch, seq, state, error)
    select 'missed_' || gen_random_uuid(), id, 'missed', ${to.epoch}, ${to.seq}, 'missed', ${reason}
    from moved`;
}

type WebhookSettings = Pick<WebhookRow, "name" | "url" | "events" | "filter" | "fields">;

export async function updateWebhook(tx: Db, id: string, hook: WebhookSettings): Promise<void> {
  const { name, url } = hook;
  await webhook(tx, id)
    .set({ name, url, ...asJson(hook), updated_at: now })
    .execute();
}

const webhook = (tx: Db, id: string) => tx.updateTable("watchfloor.webhook").where("id", "=", id);

/** With its deliveries, which are locked first: whoever stores an outcome locks its delivery, then the webhook. */
export async function deleteWebhook(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom("watchfloor.delivery").where("webhook", "=", id).execute();
  await tx.deleteFrom("watchfloor.webhook").where("id", "=", id).execute();
}

/** Resuming also ends the notice of missed changes. */
export async function pauseWebhook(tx: Db, id: string, paused: boolean): Promise<void> {
  const missed = paused ? {} : { missed: null, missed_at: null };
  await webhook(tx, id)
    .set({ paused, updated_at: now, ...missed })
    .execute();
}

/** Those of a user that send; returns how many. */
export function pauseWebhooksOf(tx: Db, owner: string): Promise<number> {
  const sending = tx.updateTable("watchfloor.webhook").where("owner", "=", owner);
  return rowsWritten(sending.where("paused", "=", false).set({ paused: true, updated_at: now }));
}

export function countActiveWebhooksOf(db: Db, owner: string): Promise<number> {
  const webhooks = db.selectFrom("watchfloor.webhook").where("owner", "=", owner);
  return countOf(webhooks.where("paused", "=", false).select(rowCount));
}

/** The present secret becomes the former one, which signs beside the new one for a while. */
export async function replaceSecret(
  tx: Db,
  { id, secret, formerMs }: { id: string; secret: string; formerMs: number },
): Promise<void> {
  await webhook(tx, id)
    .set(({ ref }) => ({ former_secret: ref("secret"), former_secret_until: after(formerMs) }))
    .set({ secret, updated_at: now })
    .execute();
}

/**
 * Moves a position and enters the deliveries of the changes in between, in their order. False if the position is not
 * where its caller believes: another server has moved it.
 */
export async function advance(
  db: Db,
  hook: Pick<WebhookRow, "id" | "epoch" | "seq">,
  to: Position,
  found: readonly NewDelivery[],
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { id, epoch, seq } = hook;
    const unmoved = tx.updateTable("watchfloor.webhook").where((eb) => eb.and({ id, epoch, seq }));
    if (!(await wrote(unmoved.set({ epoch: to.epoch, seq: to.seq })))) return false;
    if (found.length > 0) await enterDeliveries(tx, hook.id, to.epoch, found);
    return true;
  });
}

function asJson({ events, filter, fields }: Pick<WebhookRow, "events" | "filter" | "fields">) {
  return {
    events: JSON.stringify(events),
    filter: filter && JSON.stringify(filter),
    fields: fields && JSON.stringify(fields),
  };
}
