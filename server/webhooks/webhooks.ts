import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import type { Filter, Json } from "../../shared/filter/filter.ts";
import { isStorableJson } from "../../shared/filter/storable.ts";
import { findTable } from "../../shared/model/model.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { SecurityEventKind } from "../../shared/protocol/security-events.ts";
import type {
  CreateWebhookCall,
  PatchWebhookCall,
  WebhookDelivery,
  WebhookInfo,
  WebhookWithSecret,
} from "../../shared/protocol/webhooks.ts";
import { FairQueue } from "../auth/fair-queue.ts";
import type { Identity } from "../auth/identity.ts";
import { recordEvent } from "../auth/security-log.ts";
import { requireKnownFields, requireScope } from "../policy/authorize.ts";
import type { Db } from "../store/database.ts";
import { publishedVersion } from "../store/models.ts";
import { requireModel, withPublishedModel } from "../store/published-model.ts";
import { insertTest, listDeliveries, replayDelivery } from "../store/webhooks/deliveries.ts";
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
import { describeDeliveries, describeWebhook } from "./describe.ts";
import { isPublicAddress } from "./receiver-address.ts";
import { secretsOf, sendEvent } from "./send-event.ts";
import { createSecret } from "./sign.ts";
import { secretOwner, type WebhookDeps } from "./webhook-deps.ts";
import { filterProblem } from "./webhook-scope.ts";

/**
 * The commands on webhooks. Their right is the router's to check. A webhook sends by the rights of its owner, so that
 * only they may say where to and what: another user could read by it what their own role hides.
 */
export class Webhooks {
  readonly #deps: WebhookDeps;
  /** Tests hold a request open for as long as the receiver does. */
  readonly #tests = new FairQueue({ parallel: 8, perUser: 2, waitingPerUser: 10 });

  constructor(deps: WebhookDeps) {
    this.#deps = deps;
  }

  async list(me: Identity): Promise<WebhookInfo[]> {
    return this.#read(async () => {
      const rows = await listWebhooks(this.#db);
      return Promise.all(rows.map((row) => describeWebhook(this.#deps, me, row)));
    });
  }

  async one(me: Identity, id: string): Promise<WebhookInfo> {
    return this.#read(async () =>
      describeWebhook(this.#deps, me, requireFound(await findWebhook(this.#db, id))),
    );
  }

  /** Creates a webhook of the caller's, which follows its table from now on. */
  async create(me: Identity, call: CreateWebhookCall): Promise<WebhookWithSecret> {
    const [id, secret] = [randomUUID(), createSecret()];
    const { filter = null, fields = null, ...rest } = call;
    await this.#write(async (tx) => {
      this.#validate(me, call.table, { ...call, filter, fields });
      const [limit, size] = [this.#deps.limits.WEBHOOKS_MAX, (await countWebhooks(tx)) + 1];
      if (size > limit) throw new Refusal("too_large", { limit, size });
      const encrypted = this.#deps.box.encrypt(secret, secretOwner(id));
      const hook = { ...rest, id, filter, fields, owner: me.subject.id, secret: encrypted };
      await insertWebhook(tx, hook);
      await note(tx, me, "webhook_added", hook);
    });
    return { ...(await this.one(me, id)), secret };
  }

  /** Changes a webhook of the caller's. What is not sent yet is sent by the new settings. */
  async change(me: Identity, id: string, call: PatchWebhookCall): Promise<WebhookInfo> {
    await this.#write(async (tx) => {
      const before = await requireOwn(tx, me, id);
      const given = Object.fromEntries(Object.entries(call).filter(([, to]) => to !== undefined));
      this.#validate(me, before.table, call);
      const after = { ...before, ...given };
      await updateWebhook(tx, id, after);
      await note(tx, me, "webhook_changed", after);
    });
    return this.one(me, id);
  }

  async remove(me: Identity, id: string): Promise<void> {
    await this.#write(async (tx) => {
      const hook = requireFound(await findWebhook(tx, id));
      await deleteWebhook(tx, id);
      await note(tx, me, "webhook_removed", hook);
    });
  }

  /** Pauses or resumes a webhook. Its position stays, so that nothing is left out. */
  async pause(me: Identity, id: string, paused: boolean): Promise<WebhookInfo> {
    await this.#write(async (tx) => {
      const hook = requireFound(await findWebhook(tx, id));
      await pauseWebhook(tx, id, paused);
      if (hook.paused !== paused) await note(tx, me, "webhook_changed", hook, { paused });
    });
    return this.one(me, id);
  }

  /** Replaces the secret; the former one also signs for a while. */
  async rotateSecret(me: Identity, id: string): Promise<WebhookWithSecret> {
    const secret = createSecret();
    const formerMs = this.#deps.limits.WEBHOOK_SECRET_OVERLAP_MS;
    await this.#write(async (tx) => {
      const hook = await requireOwn(tx, me, id);
      const encrypted = this.#deps.box.encrypt(secret, secretOwner(id));
      await replaceSecret(tx, { id, secret: encrypted, formerMs });
      await note(tx, me, "webhook_secret_replaced", hook);
    });
    return { ...(await this.one(me, id)), secret };
  }

  /** Sends an event without a record, now and once. */
  async test(me: Identity, id: string): Promise<WebhookDelivery> {
    return this.#tests.run(me.subject.id, async () => {
      const hook = await requireOwn(this.#db, me, id);
      const secrets = secretsOf(hook, this.#deps);
      if (!secrets)
        throw new Refusal(
          "validation_failed",
          { rule: "secret" },
          "The secret can't be decrypted. Replace it.",
        );
      const body = {
        type: "webhook.test",
        webhook: id,
        table: hook.table,
        at: new Date().toISOString(),
      };
      const attempts = this.#deps.limits.WEBHOOK_MAX_ATTEMPTS;
      const event = { id: `msg_${randomUUID()}`, attempts, body };
      const outcome = await sendEvent(this.#deps, hook.url, secrets, event);
      const row = await insertTest(this.#db, id, event.id, outcome);
      this.#deps.onDelivery();
      return this.#described(me, hook, row);
    });
  }

  async deliveries(
    me: Identity,
    id: string,
    query: { before?: string | undefined; limit: number },
  ): Promise<{ items: WebhookDelivery[]; total: number }> {
    return this.#read(async () => {
      const hook = requireFound(await findWebhook(this.#db, id));
      const { rows, total } = await listDeliveries(this.#db, id, query);
      return { items: await describeDeliveries(this.#deps, me, hook, rows), total };
    });
  }

  /** Makes a delivery due again; its change is sent as the rights, the filter and the fields of now show it. */
  async replay(me: Identity, id: string, delivery: string): Promise<WebhookDelivery> {
    const hook = await requireOwn(this.#db, me, id);
    const row = await replayDelivery(this.#db, id, delivery);
    if (!row) throw new Refusal("not_found");
    this.#deps.onDelivery();
    return this.#described(me, hook, row);
  }

  get #db(): Db {
    return this.#deps.database.kysely;
  }

  async #described(
    me: Identity,
    hook: WebhookRow,
    row: Parameters<typeof describeDeliveries>[3][number],
  ) {
    const [described] = await this.#read(() => describeDeliveries(this.#deps, me, hook, [row]));
    return described as WebhookDelivery;
  }

  /** Rows are shown by the model that their names belong to. */
  #read<Result>(read: () => Promise<Result>): Promise<Result> {
    const { model, refreshModel } = this.#deps;
    return withPublishedModel(refreshModel, async () => {
      const current = model();
      const result = await read();
      requireModel({ modelVersion: await publishedVersion(this.#db) }, current);
      return result;
    });
  }

  /** No other write of webhooks, and no other model, before the transaction has ended. */
  #write(work: (tx: Db) => Promise<void>): Promise<void> {
    const { model, refreshModel } = this.#deps;
    const attempt = () =>
      this.#db.transaction().execute(async (tx) => {
        await holdWebhooks(tx);
        requireModel({ modelVersion: await publishedVersion(tx) }, model());
        await work(tx);
      });
    return withPublishedModel(refreshModel, attempt);
  }

  /** Refuses what the caller can't see, as if it did not exist, and addresses that no request would be sent to. */
  #validate(me: Identity, name: string, { filter, fields, url }: PatchWebhookCall): void {
    const table = findTable(this.#deps.model(), name);
    const scope = requireScope(me.subject, table);
    if (fields) requireKnownFields(scope, fields);
    const problem = table && filter && this.#filterProblem(filter, table, scope.fields);
    if (problem) throw new Refusal("invalid_request", { at: "filter" }, problem);
    const host = url === undefined ? "" : new URL(url).hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) === 0 || this.#deps.allowPrivate || isPublicAddress(host)) return;
    const message = "Webhooks are not sent to private addresses.";
    throw new Refusal(
      "validation_failed",
      { fields: { url: { rule: "address", message } } },
      message,
    );
  }

  #filterProblem(filter: Filter, ...of: [Parameters<typeof filterProblem>[1], readonly string[]]) {
    if (!isStorableJson(filter as unknown as Json))
      return "A text has a character that can't be stored.";
    return filterProblem(filter, ...of);
  }
}

function requireFound(row: WebhookRow | null): WebhookRow {
  if (!row) throw new Refusal("not_found");
  return row;
}

async function requireOwn(db: Db, me: Identity, id: string): Promise<WebhookRow> {
  const row = requireFound(await findWebhook(db, id));
  if (row.owner === me.subject.id) return row;
  const text = "This webhook sends by the rights of another user, who alone may do that.";
  throw new Refusal("forbidden", { right: "owner" }, text);
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
