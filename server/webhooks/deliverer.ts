import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { formatVersion } from "../../shared/protocol/position.ts";
import { recordEvent } from "../auth/security-log.ts";
import type { WorkSource } from "../messaging/leader-work.ts";
import type { CompiledScope } from "../policy/compiled-scope.ts";
import { projectEvent } from "../policy/project-event.ts";
import {
  type AttemptOutcome,
  claimDeliveries,
  type DeliveryRow,
  skipped,
  storeOutcome,
} from "../store/deliveries.ts";
import { readChangeAt, readSpan } from "../store/feed-log.ts";
import type { LogChange } from "../store/log-change.ts";
import { publishedVersion } from "../store/models.ts";
import { requireModel, withPublishedModel } from "../store/published-model.ts";
import {
  advance,
  findActiveWebhooks,
  findWebhook,
  noteMissed,
  type WebhookRow,
} from "../store/webhooks/webhooks.ts";
import type { Webhooks } from "./create-webhooks.ts";
import { senderOf } from "./describe.ts";
import { secretsOf, sendEvent } from "./send-event.ts";
import { webhookScope } from "./webhook-scope.ts";

/** Requests of one webhook that are in flight at the same time, each with another record. */
const WEBHOOK_PARALLEL = 4;
const SPAN_MAX_CHANGES = 500;
/** A server that has not stored the outcome of an attempt so long after its time-out is taken to be gone. */
const CLAIM_GRACE_MS = 2_000;

/**
 * Follows the change log for every webhook from its stored position, and delivers what is due. An event is entered
 * together with the move of the position and leaves only with the outcome of its attempts: it is sent at least once,
 * whichever process is killed. Of each record only the oldest open event is attempted.
 */
export class Deliverer implements WorkSource {
  readonly name = "a webhook";
  readonly parallel = WEBHOOK_PARALLEL;
  readonly #webhooks: Webhooks;
  readonly #log: Pick<Logger, "warn">;

  constructor(webhooks: Webhooks, log: Pick<Logger, "warn">) {
    this.#webhooks = webhooks;
    this.#log = log;
  }

  find(tables: readonly string[] | null) {
    return findActiveWebhooks(this.#webhooks.database.kysely, tables);
  }

  /** Enters the next span of changes, and begins attempts. */
  step(id: string, free: number): ReturnType<WorkSource["step"]> {
    const { database, model, identify } = this.#webhooks;
    let claimed: DeliveryRow[] | null = null;
    let isMore = false;
    return withPublishedModel(model.refreshAfterFailure, async () => {
      const done = (attempts: Promise<void>[] = []) => ({ isMore, attempts });
      const hook = await findWebhook(database.kysely, id);
      if (!hook || hook.paused || hook.feedEpoch === null) return done();
      requireModel(hook, model());
      const owner = await identify(senderOf(hook));
      const found = webhookScope(hook, owner?.subject ?? null, model());
      const secrets = secretsOf(hook, this.#webhooks);
      if ("reason" in found || !secrets) return done();
      if (await this.#follow(hook, found.scope)) isMore = true;
      if (free <= 0) return done();
      const { holdMs } = this;
      claimed ??= await claimDeliveries(database.kysely, id, { limit: free, holdMs });
      const changes = await Promise.all(
        claimed.map((row) => readChangeAt(database, hook.table, row)),
      );
      requireModel({ modelVersion: await publishedVersion(database.kysely) }, model());
      const sender = { ...hook, ...found, secrets };
      // One that can't be made, as with a damaged secret, is tried again once its claim has ended.
      return done(
        claimed.map((row, index) =>
          this.#attempt(sender, row, changes[index] ?? null).catch((err: unknown) =>
            this.#log.warn({ err, webhook: id }, "a delivery failed"),
          ),
        ),
      );
    });
  }

  /** How long an attempt belongs to this server. */
  get holdMs(): number {
    return this.#webhooks.limits.WEBHOOK_TIMEOUT_MS + CLAIM_GRACE_MS;
  }

  /** Enters the events of the next changes. Whether there are more. */
  async #follow(hook: WebhookRow, scope: CompiledScope): Promise<boolean> {
    const { database, limits, model } = this.#webhooks;
    const { table, seq, feedEpoch, head } = hook;
    if (feedEpoch === null || head === null) return false;
    if (!hook.isHeld) {
      return this.#noteMissed(hook, { epoch: feedEpoch, seq: Math.min(seq, head) }, "epoch");
    }
    if (seq >= head && hook.epoch === feedEpoch) return false;
    const free = limits.WEBHOOK_MAX_OPEN - hook.open;
    if (free <= 0) return false;
    const count = Math.min(SPAN_MAX_CHANGES, free);
    const span = await readSpan(database, table, seq, count, limits.PAGE_MAX_BYTES);
    if (!span || span.epoch !== feedEpoch) return true;
    const [first] = span.changes;
    if (seq < head && first?.seq !== seq + 1) {
      const to = { epoch: feedEpoch, seq: first ? first.seq - 1 : head };
      return this.#noteMissed(hook, to, "floor");
    }
    requireModel({ modelVersion: await publishedVersion(database.kysely) }, model());
    const events = span.changes
      .filter((change) => projectEvent(change, scope, hook.events) !== null)
      .map((change) => ({ id: `msg_${randomUUID()}`, seq: change.seq, record: change.record }));
    const isMoved = await advance(
      database.kysely,
      hook,
      { epoch: feedEpoch, seq: span.to },
      events,
    );
    if (events.length > 0) this.#webhooks.notifier.changed("delivery");
    return !isMoved || span.to < head;
  }

  /** The log does not hold what follows the position: this is recorded, and followed from `to`. */
  async #noteMissed(
    hook: WebhookRow,
    to: { epoch: string; seq: number },
    reason: "floor" | "epoch",
  ): Promise<true> {
    await this.#webhooks.database.kysely.transaction().execute(async (tx) => {
      if (!(await noteMissed(tx, hook, to, reason))) return;
      const detail = { table: hook.table, reason };
      const { id: subject, name: subjectName } = hook;
      await recordEvent(tx, { kind: "webhook_missed", actor: null, subject, subjectName, detail });
    });
    return true;
  }

  /** One attempt at a delivery, by the rights of now. */
  async #attempt(
    hook: WebhookRow & { scope: CompiledScope; secrets: string[] },
    row: DeliveryRow,
    change: LogChange | null,
  ): Promise<void> {
    const event = change && projectEvent(change, hook.scope, hook.events);
    const version = formatVersion(row.epoch ?? "", row.seq ?? 0);
    const { id, attempts } = row;
    const outcome = event
      ? await sendEvent(this.#webhooks, hook.url, hook.secrets, {
          id,
          attempts,
          body: { ...event, version },
        })
      : unsent(change);
    await storeOutcome(this.#webhooks.database.kysely, hook.id, row, outcome, this.holdMs).catch(
      // It is sent again once the claim has ended.
      (err: unknown) => this.#log.warn({ err, webhook: hook.id }, "a delivery was not stored"),
    );
    this.#webhooks.notifier.changed("delivery");
  }
}

function unsent(change: LogChange | null): AttemptOutcome {
  return change ? skipped : { ...skipped, state: "given_up", error: "log_swept" };
}
