import { sql } from "kysely";
import type { Filter } from "../../../shared/filter/filter.ts";
import type { Position } from "../../../shared/protocol/position.ts";
import type { WebhookEvent } from "../../../shared/protocol/webhooks.ts";
import type { Db } from "../database.ts";
import { isPresent } from "../feed-log.ts";
import { enterDeliveries, type NewDelivery } from "./deliveries.ts";

/** Table watchfloor.webhook, with what its deliveries and its feed say of it. */
export interface WebhookRow {
  id: string;
  name: string;
  url: string;
  table: string;
  events: WebhookEvent[];
  filter: Filter | null;
  fields: string[] | null;
  owner: string;
  ownerName: string | null;
  /** Encrypted. */
  secret: string;
  /** Null once it signs no more. */
  formerSecret: string | null;
  formerSecretUntil: string | null;
  paused: boolean;
  epoch: string;
  seq: number;
  failures: number;
  missed: "floor" | "epoch" | null;
  missedAt: string | null;
  createdAt: string;
  open: number;
  givenUp: number;
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
    u.name as "ownerName", w.secret, w.paused, w.epoch, w.seq, w.failures, w.missed,
    case when w.former_secret_until > now() then w.former_secret end as "formerSecret",
    case when w.former_secret_until > now() then w.former_secret_until end as "formerSecretUntil",
    w.missed_at as "missedAt", w.created_at as "createdAt",
    (select count(*)::int from watchfloor.webhook_delivery d
      where d.webhook = w.id and d.state in ('due', 'retrying')) as open,
    (select count(*)::int from watchfloor.webhook_delivery d
      where d.webhook = w.id and d.state = 'given_up' and d.kind = 'change') as "givenUp",
    l.attempted_at as "lastAt", l.state = 'delivered' as "lastOk", l.status as "lastStatus",
    f.epoch as "feedEpoch", f.head, ${sql.raw(isPresent("f", "w.epoch", "w.seq"))} as "isHeld",
    (select coalesce(max(version), 0)::int from watchfloor.model) as "modelVersion"
  from watchfloor.webhook w
  left join watchfloor."user" u on u.id = w.owner
  left join watchfloor.feed f on f.table_name = w.table_name
  left join lateral (
    select d.attempted_at, d.state, d.status from watchfloor.webhook_delivery d
    where d.webhook = w.id and d.attempted_at is not null order by d.n desc limit 1) l on true`;

/** All of them, by name. */
export async function listWebhooks(db: Db): Promise<WebhookRow[]> {
  const { rows } = await sql<WebhookRow>`${selected} order by lower(w.name), w.id`.execute(db);
  return rows;
}

export async function findWebhook(db: Db, id: string): Promise<WebhookRow | null> {
  const { rows } = await sql<WebhookRow>`${selected} where w.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The webhooks that deliver, of these tables or of all, and whether something is due. */
export async function findActiveWebhooks(
  db: Db,
  tables: readonly string[] | null,
): Promise<{ id: string; table: string; isDue: boolean }[]> {
  const { rows } = await sql<{ id: string; table: string; isDue: boolean }>`
    select w.id, w.table_name as "table", (f.epoch, f.head) is distinct from (w.epoch, w.seq) or exists (
        select from watchfloor.webhook_delivery d where d.webhook = w.id
          and d.state in ('due', 'retrying') and d.next_at <= now()) as "isDue"
    from watchfloor.webhook w join watchfloor.feed f on f.table_name = w.table_name
    where not w.paused and (${tables}::text[] is null or w.table_name = any(${tables}::text[]))`.execute(
    db,
  );
  return rows;
}

/** Until the transaction ends nobody else writes a webhook: names and numbers do not change. */
export async function holdWebhooks(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('watchfloor.webhook'))`.execute(tx);
}

export async function countWebhooks(tx: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from watchfloor.webhook`.execute(tx);
  return rows[0]?.count ?? 0;
}

type NewWebhook = Pick<
  WebhookRow,
  "id" | "name" | "url" | "table" | "events" | "filter" | "fields" | "owner" | "secret"
>;

/** Adds one at the head of its table's feed. */
export async function insertWebhook(tx: Db, hook: NewWebhook): Promise<void> {
  await sql`
    insert into watchfloor.webhook
      (id, name, url, table_name, events, filter, fields, owner, secret, epoch, seq)
    select ${hook.id}, ${hook.name}, ${hook.url}, table_name, ${asJson(hook.events)},
      ${asJson(hook.filter)}, ${asJson(hook.fields)}, ${hook.owner}, ${hook.secret}, epoch, head
    from watchfloor.feed where table_name = ${hook.table}`.execute(tx);
}

/** Where a webhook has lost changes: it goes on from `to`, and says so until somebody resumes it. */
export async function noteMissed(
  tx: Db,
  hook: Pick<WebhookRow, "id" | "epoch" | "seq">,
  to: Position,
  reason: "floor" | "epoch",
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with moved as (
      update watchfloor.webhook set epoch = ${to.epoch}, seq = ${to.seq}, missed = ${reason},
        missed_at = now()
      where id = ${hook.id} and epoch = ${hook.epoch} and seq = ${hook.seq} returning id
    )
    insert into watchfloor.webhook_delivery (id, webhook, kind, epoch, seq, state, error)
    select 'missed_' || gen_random_uuid(), id, 'missed', ${to.epoch}, ${to.seq}, 'missed', ${reason}
    from moved`.execute(tx);
  return numAffectedRows === 1n;
}

type WebhookSettings = Pick<WebhookRow, "name" | "url" | "events" | "filter" | "fields">;

export async function updateWebhook(tx: Db, id: string, hook: WebhookSettings): Promise<void> {
  await sql`update watchfloor.webhook set name = ${hook.name}, url = ${hook.url},
    events = ${asJson(hook.events)}, filter = ${asJson(hook.filter)},
    fields = ${asJson(hook.fields)}, updated_at = now() where id = ${id}`.execute(tx);
}

export async function deleteWebhook(tx: Db, id: string): Promise<void> {
  await sql`delete from watchfloor.webhook where id = ${id}`.execute(tx);
}

/** Resuming also ends the notice of missed changes. */
export async function pauseWebhook(tx: Db, id: string, paused: boolean): Promise<void> {
  await sql`update watchfloor.webhook set paused = ${paused}, updated_at = now(),
    missed = case when ${paused} then missed end, missed_at = case when ${paused} then missed_at end
    where id = ${id}`.execute(tx);
}

/** The present secret becomes the former one, which signs beside the new one for a while. */
export async function replaceSecret(
  tx: Db,
  { id, secret, formerMs }: { id: string; secret: string; formerMs: number },
): Promise<void> {
  await sql`update watchfloor.webhook set former_secret = secret, secret = ${secret},
    former_secret_until = now() + ${formerMs} * interval '1 millisecond', updated_at = now()
    where id = ${id}`.execute(tx);
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
    const { numAffectedRows } = await sql`
      update watchfloor.webhook set epoch = ${to.epoch}, seq = ${to.seq}
      where id = ${hook.id} and epoch = ${hook.epoch} and seq = ${hook.seq}`.execute(tx);
    if (numAffectedRows !== 1n) return false;
    if (found.length > 0) await enterDeliveries(tx, hook.id, to.epoch, found);
    return true;
  });
}

function asJson(value: unknown) {
  return sql`${value === null ? null : JSON.stringify(value)}::jsonb`;
}
