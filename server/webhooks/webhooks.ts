import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { explain } from "../../shared/error-texts/explain.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { isStorableJson } from "../../shared/filter/storable.ts";
import { found, Refusal } from "../../shared/protocol/errors.ts";
import type { SecurityEventKind } from "../../shared/protocol/security-events.ts";
import type {
  CreateWebhookCall,
  PatchWebhookCall,
  WebhookDelivery,
  WebhookInfo,
  WebhookWithSecret,
} from "../../shared/protocol/webhooks.ts";
import type { Identity } from "../auth/identity.ts";
import { recordEvent } from "../auth/security-log.ts";
import { readableTable, requireKnownFields } from "../policy/authorize.ts";
import type { Db } from "../store/database.ts";
import { insertTest, listDeliveries, replayDelivery } from "../store/deliveries.ts";
import { readByModel, writeByModel } from "../store/published-model.ts";
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  holdWebhooks,
  insertWebhook,
  listWebhooks,
  pauseWebhook,
  replaceSecret,
  updateWebhook,
  type WebhookRow,
} from "../store/webhooks/webhooks.ts";
import { secretOwner, type Webhooks } from "./create-webhooks.ts";
import { describeDeliveries, describeWebhook, isOwner } from "./describe.ts";
import { isPublicAddress } from "./receiver-address.ts";
import { secretsOf, sendEvent } from "./send-event.ts";
import { createSecret } from "./sign.ts";
import { filterProblem } from "./webhook-scope.ts";

/** How long the former secret also signs after it was replaced. */
const WEBHOOK_SECRET_OVERLAP_MS = 86_400_000;

/**
 * The commands on webhooks. Their right is the router's to check. A webhook sends by the rights of its owner, so that
 * only they may say where to and what: another user could read by it what their own role hides.
 */

export async function allWebhooks(webhooks: Webhooks, me: Identity): Promise<WebhookInfo[]> {
  return readByModel(webhooks, async () => {
    const rows = await listWebhooks(webhooks.database.kysely);
    return Promise.all(rows.map((row) => describeWebhook(webhooks, me, row)));
  });
}

export async function oneWebhook(
  webhooks: Webhooks,
  me: Identity,
  id: string,
): Promise<WebhookInfo> {
  return readByModel(webhooks, async () =>
    describeWebhook(webhooks, me, found(await findWebhook(webhooks.database.kysely, id))),
  );
}

/** Creates a webhook of the caller's, which follows its table from now on. */
export async function addWebhook(
  webhooks: Webhooks,
  me: Identity,
  call: CreateWebhookCall,
): Promise<WebhookWithSecret> {
  const [id, secret] = [randomUUID(), createSecret()];
  const { filter = null, fields = null, ...rest } = call;
  await write(webhooks, async (tx) => {
    validate(webhooks, me, call.table, { ...call, filter, fields });
    const [limit, size] = [webhooks.limits.WEBHOOKS_MAX, (await countWebhooks(tx)) + 1];
    if (size > limit) throw new Refusal("too_large", { limit, size });
    const encrypted = webhooks.box.encrypt(secret, secretOwner(id));
    const by = { owner: me.subject.id, token: me.token?.id ?? null };
    const hook = { ...rest, ...by, id, filter, fields, secret: encrypted };
    await insertWebhook(tx, hook);
    await note(tx, me, "webhook_added", hook);
  });
  return { ...(await oneWebhook(webhooks, me, id)), secret };
}

/** Changes a webhook of the caller's. What is not sent yet is sent by the new settings. */
export async function changeWebhook(
  webhooks: Webhooks,
  me: Identity,
  id: string,
  call: PatchWebhookCall,
): Promise<WebhookInfo> {
  await write(webhooks, async (tx) => {
    const before = await requireOwn(tx, me, id);
    const given = Object.fromEntries(Object.entries(call).filter(([, to]) => to !== undefined));
    validate(webhooks, me, before.table, call);
    const after = { ...before, ...given };
    await updateWebhook(tx, id, after);
    await note(tx, me, "webhook_changed", after);
  });
  return oneWebhook(webhooks, me, id);
}

export async function removeWebhook(webhooks: Webhooks, me: Identity, id: string): Promise<void> {
  await write(webhooks, async (tx) => {
    const hook = found(await findWebhook(tx, id));
    await deleteWebhook(tx, id);
    await note(tx, me, "webhook_removed", hook);
  });
}

/** Pauses or resumes a webhook. Its position stays, so that nothing is left out. */
export async function setWebhookPaused(
  webhooks: Webhooks,
  me: Identity,
  id: string,
  paused: boolean,
): Promise<WebhookInfo> {
  await write(webhooks, async (tx) => {
    const hook = found(await findWebhook(tx, id));
    await pauseWebhook(tx, id, paused);
    if (hook.paused !== paused) await note(tx, me, "webhook_changed", hook, { paused });
  });
  return oneWebhook(webhooks, me, id);
}

/** Replaces the secret; the former one also signs for a while. */
export async function rotateSecret(
  webhooks: Webhooks,
  me: Identity,
  id: string,
): Promise<WebhookWithSecret> {
  const secret = createSecret();
  const formerMs = WEBHOOK_SECRET_OVERLAP_MS;
  await write(webhooks, async (tx) => {
    const hook = await requireOwn(tx, me, id);
    const encrypted = webhooks.box.encrypt(secret, secretOwner(id));
    await replaceSecret(tx, { id, secret: encrypted, formerMs });
    await note(tx, me, "webhook_secret_replaced", hook);
  });
  return { ...(await oneWebhook(webhooks, me, id)), secret };
}

/** Sends an event without a record, now and once. The table is null if the owner may no longer read it. */
export async function testWebhook(
  webhooks: Webhooks,
  me: Identity,
  id: string,
): Promise<WebhookDelivery> {
  return webhooks.tests.run(me.subject.id, async () => {
    const hook = await requireOwn(webhooks.database.kysely, me, id);
    const secrets = secretsOf(hook, webhooks);
    if (!secrets)
      throw new Refusal("validation_failed", { rule: "secret" }, explain("webhook.secret"));
    const { table } = await describeWebhook(webhooks, me, hook);
    const body = { type: "webhook.test", webhook: id, table, at: new Date().toISOString() };
    const attempts = webhooks.limits.WEBHOOK_MAX_ATTEMPTS;
    const event = { id: `msg_${randomUUID()}`, attempts, body };
    const outcome = await sendEvent(webhooks, hook.url, secrets, event);
    const row = await insertTest(webhooks.database.kysely, id, event.id, outcome);
    webhooks.notifier.changed("delivery");
    return described(webhooks, me, hook, row);
  });
}

export async function deliveriesOf(
  webhooks: Webhooks,
  me: Identity,
  id: string,
  query: { before?: string | undefined; limit: number },
): Promise<{ items: WebhookDelivery[]; total: number }> {
  return readByModel(webhooks, async () => {
    const hook = found(await findWebhook(webhooks.database.kysely, id));
    const { rows, total } = await listDeliveries(webhooks.database.kysely, id, query);
    return { items: await describeDeliveries(webhooks, me, hook, rows), total };
  });
}

/** Makes a delivery due again; its change is sent as the rights, the filter and the fields of now show it. */
export async function replayDeliveryOf(
  webhooks: Webhooks,
  me: Identity,
  id: string,
  delivery: string,
): Promise<WebhookDelivery> {
  const hook = await requireOwn(webhooks.database.kysely, me, id);
  const row = found(await replayDelivery(webhooks.database.kysely, id, delivery));
  webhooks.notifier.changed("delivery");
  return described(webhooks, me, hook, row);
}

async function described(
  webhooks: Webhooks,
  me: Identity,
  hook: WebhookRow,
  row: Parameters<typeof describeDeliveries>[3][number],
) {
  const [described] = await readByModel(webhooks, () =>
    describeDeliveries(webhooks, me, hook, [row]),
  );
  return described as WebhookDelivery;
}

/** No other write of webhooks, and no other model, before the transaction has ended. */
function write(webhooks: Webhooks, work: (tx: Db) => Promise<void>): Promise<void> {
  return writeByModel(webhooks, holdWebhooks, work);
}

/** Refuses what the caller can't see, as if it did not exist, and addresses that no request would be sent to. */
function validate(
  webhooks: Webhooks,
  me: Identity,
  name: string,
  { filter, fields, url }: PatchWebhookCall,
): void {
  const { table, scope } = readableTable(me.subject, webhooks.model(), name);
  if (fields) requireKnownFields(scope, fields);
  const isStorable = isStorableJson((filter ?? null) as unknown as Json);
  const problem = isStorable
    ? filter && filterProblem(filter, table, scope.fields)
    : explain("access.characters");
  if (problem) throw new Refusal("invalid_request", { at: "filter" }, problem);
  const host = url === undefined ? "" : new URL(url).hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) === 0 || webhooks.allowPrivate || isPublicAddress(host)) return;
  const explanation = explain("webhook.address");
  const refused = { rule: "address", ...explanation };
  throw new Refusal("validation_failed", { fields: { url: refused } }, explanation);
}

async function requireOwn(db: Db, me: Identity, id: string): Promise<WebhookRow> {
  const row = found(await findWebhook(db, id));
  if (isOwner(me, row)) return row;
  throw new Refusal("forbidden", { right: "owner" }, explain("webhook.owner"));
}

type Kind = Extract<SecurityEventKind, `webhook_${string}`>;

/** Of the address only its origin: the rest may contain a secret of the receiver. */
async function note(
  tx: Db,
  me: Identity,
  kind: Kind,
  { id, name, table, url }: Pick<WebhookRow, "id" | "name" | "table" | "url">,
  more: Record<string, Json> = {},
): Promise<void> {
  const detail = { table, origin: new URL(url).origin, ...more };
  await recordEvent(tx, { kind, actor: me.subject.id, subject: id, subjectName: name, detail });
}
