import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { formatVersion } from "../../shared/protocol/position.ts";
import { recordEvent } from "../auth/security-log.ts";
import type { CompiledScope } from "../policy/compiled-scope.ts";
import { projectEvent } from "../policy/project-event.ts";
import { readChangeAt, readSpan } from "../store/feed-log.ts";
import type { LogChange } from "../store/log-change.ts";
import { publishedVersion } from "../store/models.ts";
import { requireModel, withPublishedModel } from "../store/published-model.ts";
import {
  type AttemptOutcome,
  claimDeliveries,
  type DeliveryRow,
  storeOutcome,
} from "../store/webhooks/deliveries.ts";
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
/** How often a server looks for deliveries that are due. */
const WEBHOOK_POLL_MS = 500;

/** Changes of a busy table within this time are one step. */
const WAKE_DELAY_MS = 25;
const SPAN_MAX_CHANGES = 500;
/** A server that has not stored the outcome of an attempt so long after its time-out is taken to be gone. */
const CLAIM_GRACE_MS = 2_000;

/** What this server does for one webhook. */
interface Work {
  inFlight: Set<Promise<void>>;
  running: Promise<void> | null;
  mustRunAgain: boolean;
}

/**
 * Follows the change log for every webhook from its stored position, and delivers what is due. An event is entered
 * together with the move of the position and leaves only with the outcome of its attempts: it is sent at least once,
 * whichever process is killed. Of each record only the oldest open event is attempted. A second deliverer, during a
 * change of leaders, is harmless: positions are moved by comparing them, attempts are claimed in the database.
 */
export class Deliverer {
  readonly #webhooks: Webhooks;
  /** One server delivers for all. */
  readonly #isLeader: () => boolean;
  readonly #log: Pick<Logger, "warn">;
  readonly #work = new Map<string, Work>();
  readonly #stopping = new AbortController();
  readonly #polling: Promise<void>;
  /** Those that have webhooks, as of the last poll: an edit of another one costs no query. */
  #tables = new Set<string>();
  readonly #woken = new Set<string>();
  #wakeTimer: NodeJS.Timeout | null = null;

  constructor(webhooks: Webhooks, isLeader: () => boolean, log: Pick<Logger, "warn">) {
    this.#webhooks = webhooks;
    this.#isLeader = isLeader;
    this.#log = log;
    this.#polling = this.#poll().catch(() => undefined);
  }

  /** The feed of a table has grown. */
  wake(table: string): void {
    if (!this.#tables.has(table)) return;
    this.#woken.add(table);
    this.#wakeTimer ??= setTimeout(() => {
      this.#wakeTimer = null;
      const tables = [...this.#woken];
      this.#woken.clear();
      void this.#runDue(tables);
    }, WAKE_DELAY_MS);
  }

  /** Ends after the attempts in flight. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#wakeTimer) clearTimeout(this.#wakeTimer);
    await this.#polling;
    await Promise.all([...this.#work.values()].map(({ running }) => running));
    await Promise.all([...this.#work.values()].flatMap(({ inFlight }) => [...inFlight]));
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopping;
    for (; !signal.aborted; await sleep(WEBHOOK_POLL_MS, undefined, { signal })) {
      await this.#runDue(null);
    }
  }

  async #runDue(tables: readonly string[] | null): Promise<void> {
    const { database } = this.#webhooks;
    if (this.#stopping.signal.aborted || !this.#isLeader()) return;
    try {
      const active = await findActiveWebhooks(database.kysely, tables);
      if (tables === null) this.#tables = new Set(active.map(({ table }) => table));
      for (const { id, isDue } of active) if (isDue) this.#run(id);
    } catch (err) {
      this.#log.warn({ err }, "the webhooks can't be read");
    }
  }

  #run(id: string): void {
    const work = this.#workOf(id);
    work.mustRunAgain = true;
    work.running ??= this.#runSteps(id, work)
      .catch((err: unknown) => this.#log.warn({ err, webhook: id }, "a webhook was not served"))
      .finally(() => {
        work.running = null;
        if (work.inFlight.size === 0) this.#work.delete(id);
      });
  }

  #workOf(id: string): Work {
    const known = this.#work.get(id);
    if (known) return known;
    const work: Work = { inFlight: new Set(), running: null, mustRunAgain: false };
    this.#work.set(id, work);
    return work;
  }

  async #runSteps(id: string, work: Work): Promise<void> {
    while (work.mustRunAgain && !this.#stopping.signal.aborted && this.#isLeader()) {
      work.mustRunAgain = false;
      await this.#step(id, work);
    }
  }

  /** Enters the next span of changes, and begins attempts as far as its limits allow. */
  #step(id: string, work: Work): Promise<void> {
    const { database, model, identify } = this.#webhooks;
    let claimed: DeliveryRow[] | null = null;
    return withPublishedModel(model.refreshAfterFailure, async () => {
      const hook = await findWebhook(database.kysely, id);
      if (!hook || hook.paused || hook.feedEpoch === null) return;
      requireModel(hook, model());
      const owner = await identify(senderOf(hook));
      const found = webhookScope(hook, owner?.subject ?? null, model());
      const secrets = secretsOf(hook, this.#webhooks);
      if ("reason" in found || !secrets) return;
      if (await this.#follow(hook, found.scope)) work.mustRunAgain = true;
      const limit = WEBHOOK_PARALLEL - work.inFlight.size;
      if (limit <= 0) return;
      const { holdMs } = this;
      claimed ??= await claimDeliveries(database.kysely, id, { limit, holdMs });
      const changes = await Promise.all(
        claimed.map((row) => readChangeAt(database, hook.table, row)),
      );
      requireModel({ modelVersion: await publishedVersion(database.kysely) }, model());
      for (const [index, row] of claimed.entries()) {
        // One that can't be made, as with a damaged secret, is tried again once its claim has ended.
        const attempt = this.#attempt(
          { ...hook, ...found, secrets },
          row,
          changes[index] ?? null,
        ).catch((err: unknown) => this.#log.warn({ err, webhook: id }, "a delivery failed"));
        work.inFlight.add(attempt);
        void attempt.finally(() => {
          work.inFlight.delete(attempt);
          this.#run(id);
        });
      }
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
  const nothing = { type: null, status: null, excerpt: null, durationMs: null, retryMs: 0 };
  return change
    ? { ...nothing, state: "skipped", error: null }
    : { ...nothing, state: "given_up", error: "log_swept" };
}
