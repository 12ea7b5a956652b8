import { findTable } from "../../shared/model/model.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import { formatVersion } from "../../shared/protocol/position.ts";
import {
  type WebhookDelivery,
  type WebhookFailure,
  type WebhookInfo,
  type WebhookReason,
  type WebhookState,
  webhookEvents,
} from "../../shared/protocol/webhooks.ts";
import type { Identity } from "../auth/identity.ts";
import { type CompiledScope, compileScopeOf } from "../policy/compiled-scope.ts";
import { projectEvent } from "../policy/project-event.ts";
import type { DeliveryRow } from "../store/deliveries.ts";
import { readChangeAt } from "../store/feed-log.ts";
import type { WebhookRow } from "../store/webhooks/webhooks.ts";
import type { Webhooks } from "./create-webhooks.ts";
import { secretsOf } from "./send-event.ts";
import { webhookScope } from "./webhook-scope.ts";

/** What a reader sees of webhooks and deliveries: nothing that the rights of now hide from them or from the owner. */

/** Whether a webhook is the caller's: of an API token those that it has created, whose rights are no more than its own. */
export function isOwner({ subject, token }: Identity, hook: WebhookRow): boolean {
  return subject.id === hook.owner && (token === undefined || token.id === hook.token);
}

/** By whose rights a webhook sends. */
export function senderOf({ owner, token }: Pick<WebhookRow, "owner" | "token">) {
  return token === null ? { kind: "user", id: owner } : { kind: "token", id: token };
}

export async function describeWebhook(
  webhooks: Webhooks,
  me: Identity,
  hook: WebhookRow,
): Promise<WebhookInfo> {
  const isMine = isOwner(me, hook);
  const table = findTable(webhooks.model(), hook.table);
  const isReadable = table !== undefined && scopeOf(me.subject, table) !== null;
  const { state, reason } = await stateOf(webhooks, hook);
  const { id, name, url, events, missedAt, failures, open, givenUp, createdAt } = hook;
  return {
    id,
    name,
    url: isMine ? url : new URL(url).origin,
    table: isReadable ? hook.table : null,
    events,
    filter: isMine ? hook.filter : null,
    fields: isMine ? hook.fields : null,
    owner: { id: hook.owner, name: hook.ownerName },
    isMine,
    token: hook.token === null ? null : { id: hook.token, name: hook.tokenName ?? "" },
    state,
    reason,
    missedAt,
    failures,
    open,
    givenUp,
    last:
      hook.lastAt === null
        ? null
        : { at: hook.lastAt, ok: hook.lastOk === true, status: hook.lastStatus },
    formerSecretUntil: hook.formerSecretUntil,
    createdAt,
  };
}

async function stateOf(
  webhooks: Webhooks,
  hook: WebhookRow,
): Promise<{ state: WebhookState; reason: WebhookReason | null }> {
  const owner = await webhooks.identify(senderOf(hook));
  const scope = webhookScope(hook, owner?.subject ?? null, webhooks.model());
  if ("reason" in scope) return { state: "stopped", reason: scope.reason };
  if (!secretsOf(hook, webhooks)) return { state: "stopped", reason: "secret" };
  if (hook.paused) return { state: "paused", reason: null };
  if (hook.missed) return { state: "missed", reason: hook.missed };
  return { state: hook.failures > 0 ? "failing" : "active", reason: null };
}

/** Deliveries by what both the owner and the reader may see of their changes now. */
export async function describeDeliveries(
  webhooks: Webhooks,
  me: Identity,
  hook: WebhookRow,
  rows: readonly DeliveryRow[],
): Promise<WebhookDelivery[]> {
  const owner = await webhooks.identify(senderOf(hook));
  const own = webhookScope(hook, owner?.subject ?? null, webhooks.model());
  const table = findTable(webhooks.model(), hook.table);
  const mine = table && compileScopeOf(me.subject, table);
  const scopes = "scope" in own && mine ? [own.scope, mine] : null;
  return Promise.all(
    rows.map((row) => describeDelivery(webhooks, hook, row, scopes, isOwner(me, hook))),
  );
}

async function describeDelivery(
  { database }: Webhooks,
  hook: WebhookRow,
  row: DeliveryRow,
  scopes: readonly CompiledScope[] | null,
  isMine: boolean,
): Promise<WebhookDelivery> {
  const { id, epoch, seq, state, attempts, status, durationMs, createdAt, attemptedAt } = row;
  const kind = row.kind as WebhookDelivery["kind"];
  const isOpen = state === "due" || state === "retrying";
  const event =
    kind === "change" && scopes ? await visibleEvent(database, hook, row, scopes) : null;
  const isMissed = kind === "missed";
  return {
    id,
    kind,
    type: event ? (row.type ?? event.type) : kind === "test" ? row.type : null,
    record: event ? row.record : null,
    version: epoch !== null && seq !== null ? formatVersion(epoch, seq) : null,
    state,
    reason: isMissed ? (row.error as WebhookReason) : null,
    attempts,
    nextAt: isOpen ? row.nextAt : null,
    status,
    error: isMissed ? null : (row.error as WebhookFailure | null),
    excerpt: isMine ? row.excerpt : null,
    durationMs,
    createdAt,
    attemptedAt,
  };
}

/** The event of a delivery in the first scope, if all of them show its change. */
async function visibleEvent(
  database: Webhooks["database"],
  { table, events }: WebhookRow,
  row: DeliveryRow,
  [own, ...others]: readonly CompiledScope[],
) {
  const change = await readChangeAt(database, table, row);
  if (!change || !own) return null;
  const isVisible = others.every((scope) => projectEvent(change, scope, webhookEvents) !== null);
  return isVisible ? projectEvent(change, own, events) : null;
}
