import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { Listeners } from "../../shared/listeners.ts";
import type { Database, Db } from "./database.ts";
import { every } from "./every.ts";
import { inTime } from "./in-time.ts";
import { execute, rowsOf } from "./statement.ts";

/**
 * How the servers of an installation learn that something changed, whoever changed it: another server, or somebody with psql.
 * (Records have the change log. This is everything else, and the hint that another program wrote to the log.)
 *
 * A notification names a topic and mostly an id, never what it is now: listeners read the database. So one that is lost,
 * repeated or forged does no harm; anybody who may connect to the database can notify. There are three ways to a listener:
 *
 * - `changed` calls those of its own process before it returns: who ends a session must not be answered before this server has
 *   forgotten it.
 * - At commit, Postgres notifies all servers, by triggers of the tables. Not the bus: between a commit and a message
 *   a server may die, and Redis may be away. What has no trigger, because it is written all the time (reports of displays,
 *   deliveries), is announced by `changed`, at most once a second. The connection that listens is checked every second: it can be
 *   silently dead, or lead to a Postgres that accepts no changes any more. When another one listens, anything may have changed.
 * - A notification may be missing: a restore runs no triggers, somebody disabled them, a pooler keeps no session. So one statement
 *   every five seconds reads fingerprints of what servers hold in memory and of what screens show. What differs is emitted,
 *   also where it was notified: the same may have changed once more since. Sessions, roles, tokens and displays have none: each connection checks its own rights (RIGHTS_CHECK_INTERVAL_MS), which expire anyhow.
 *
 * A listener that fails, because the database could not be read, is called again by the next poll.
 */

/** What changes. Each is followed by an id, except where nothing is said. */
const topicSchema = z.enum([
  /** By name: another program has written to a table. */
  "feed",
  /** A model was published; no id. */
  "model",
  "user",
  "role",
  "session",
  "token",
  /** Sessions, second factors or API tokens of this user. */
  "account",
  "display",
  /** This display went offline or came back. */
  "displayHealth",
  /** Some display has reported; no id. */
  "displayReport",
  /** Some webhook's delivery has another state; no id. */
  "delivery",
  /** As JSON: views of a table, and of an owner unless they are shared. */
  "views",
  /** A wallboard or an acknowledged alert; no id. */
  "wallboards",
  /** A change set was created or removed, or has another state or version; no id. */
  "changeSets",
  /** A comment, by its number. */
  "comment",
  /** What this user has read, or comments that mention them. */
  "mentions",
  /** What this user is notified of. */
  "inbox",
  /** A security event was written: users, displays or webhooks may have changed; no id. */
  "event",
]);
export type Topic = z.infer<typeof topicSchema>;

/** `id` is null if any of the topic may have changed. */
export interface TopicChange {
  topic: Topic;
  id: string | null;
}

type Listener = (change: TopicChange) => unknown;

const CHANNEL = "watchfloor_changed";
const ID_MAX_LENGTH = 400;
const RETRY_MS = 1_000;
const CHECK_MS = 1_000;
const CHECK_TIMEOUT_MS = 5_000;
const POLL_MS = 5_000;
const ANNOUNCE_MS = 1_000;
/** Of these a notification may name none. Of others it must: to look up everything is for us to decide, not for whoever may notify. */
const withoutId: ReadonlySet<Topic> = new Set<Topic>([
  "model",
  "views",
  "wallboards",
  "changeSets",
  "event",
]);
/** Announced by the server, not by a trigger. The id names the server, which does not listen to itself. */
const announced: ReadonlySet<Topic> = new Set(["displayReport", "delivery"]);

export class ChangeNotifier {
  readonly #node = randomUUID();
  readonly #listeners = new Map<Topic, Listeners<TopicChange>>();
  readonly #stopping = new AbortController();
  #database: Database | null = null;
  #onError: (error: unknown, topic: Topic | null) => void = () => {};
  /** Topics with a listener that failed. */
  #failed = new Set<Topic>();
  #known: Fingerprints | null = null;
  #polling: Promise<void> | null = null;
  readonly #announcing = new Set<Topic>();

  /** Follows the database. Until then, and without it, changes of this process alone are notified. `onError` gets what failed, null for the poll. */
  start(
    database: Database,
    onError: (error: unknown, topic: Topic | null) => void,
    { pollMs = POLL_MS }: { pollMs?: number } = {},
  ): void {
    this.#database = database;
    this.#onError = onError;
    const stopPolling = every(pollMs, () => void this.poll());
    this.#stopping.signal.addEventListener("abort", stopPolling, { once: true });
    void this.#follow(database);
  }

  /** Nothing that the database says is emitted afterwards. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Called with each change of these topics. Returns a function that ends it. A rejected promise means: call again. */
  on(topics: Topic | readonly Topic[], listener: Listener): () => void {
    const removals = ([topics].flat() as Topic[]).map((topic) => {
      const listeners = this.#listeners.get(topic) ?? new Listeners();
      this.#listeners.set(topic, listeners);
      return listeners.add((change) => void this.#call(listener, change));
    });
    return () => {
      for (const remove of removals) remove();
    };
  }

  /** This process has changed something, and has committed it. Its listeners are called at once. */
  changed(topic: Topic, id: string | null = null): void {
    this.#emit(topic, id);
    if (announced.has(topic)) this.#announceSoon(topic);
  }

  #emit(topic: Topic, id: string | null): void {
    this.#listeners.get(topic)?.emit({ topic, id });
  }

  /** Until its first wait, the listener runs before this returns. */
  async #call(listener: Listener, change: TopicChange): Promise<void> {
    try {
      await listener(change);
    } catch (error) {
      this.#failed.add(change.topic);
      this.#report(error, change.topic);
    }
  }

  #report(error: unknown, topic: Topic | null): void {
    if (!this.#stopping.signal.aborted) this.#onError(error, topic);
  }

  #announceSoon(topic: Topic): void {
    const database = this.#database;
    if (!database || this.#announcing.has(topic)) return;
    this.#announcing.add(topic);
    const announce = () => {
      this.#announcing.delete(topic);
      if (this.#stopping.signal.aborted) return;
      execute(database.kysely)`select pg_notify(${CHANNEL}, ${`${topic}:${this.#node}`})`.catch(
        (error: unknown) => this.#report(error, topic),
      );
    };
    setTimeout(announce, ANNOUNCE_MS).unref();
  }

  /** The first fingerprints are older than what listeners read when notifications begin. */
  async #follow(database: Database): Promise<void> {
    const { signal } = this.#stopping;
    await this.poll();
    while (!signal.aborted) {
      await this.#listen(database).catch(() => undefined);
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Listens until the connection ends, fails or does not answer the check. */
  async #listen(database: Database): Promise<void> {
    const client = await database.connect({ name: "watchfloor listener" });
    const lost = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, lost.signal]);
    client.on("end", () => lost.abort()).on("error", () => lost.abort());
    const receive = boundMessages((topic, id) => {
      if (this.#stopping.signal.aborted) return;
      this.#emit(topic, id);
    });
    client.on("notification", ({ payload = "" }) => {
      const change = parseNotification(payload);
      if (change && change.id !== this.#node) receive(change.topic, change.id);
    });
    try {
      await answered(client.query(`listen ${CHANNEL}`), signal);
      if (!signal.aborted) for (const topic of topicSchema.options) this.#emit(topic, null);
      while (!signal.aborted) {
        await sleep(CHECK_MS, undefined, { signal }).catch(() => undefined);
        if (!signal.aborted) await answered(database.check(client), signal);
      }
    } finally {
      void client.end().catch(() => undefined);
    }
  }

  /** Finds what nobody notified of. Never twice at a time: an older answer that came last would pass for a change. */
  poll(): Promise<void> {
    this.#polling ??= this.#pollOnce()
      .catch((error: unknown) => this.#report(error, null))
      .finally(() => {
        this.#polling = null;
      });
    return this.#polling;
  }

  async #pollOnce(): Promise<void> {
    if (!this.#database || this.#stopping.signal.aborted) return;
    const found = await readFingerprints(this.#database.kysely);
    const [known, failed] = [this.#known, this.#failed];
    [this.#known, this.#failed] = [found, new Set()];
    if (this.#stopping.signal.aborted) return;
    for (const topic of failed) this.#emit(topic, null);
    if (!known) return;
    for (const change of differences(known, found)) {
      if (!failed.has(change.topic)) this.#emit(change.topic, change.id);
    }
  }
}

const keyOf = (topic: Topic, id: string | null) => `${topic}:${id ?? ""}`;

/** `topic:id`, as triggers write it; null for any other text. */
function parseNotification(payload: string): TopicChange | null {
  const [, name = "", id = ""] = /^(\w+):(.*)$/s.exec(payload) ?? [];
  const topic = topicSchema.safeParse(name).data;
  if (!topic || id.length > ID_MAX_LENGTH || (id === "" && !withoutId.has(topic))) return null;
  return { topic, id: id || null };
}

/** Fails if a statement is not answered in time; an abort ends the wait at once. */
async function answered(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => aborted.resolve(), { once: true });
  if (signal.aborted) aborted.resolve();
  await Promise.race([inTime(work, CHECK_TIMEOUT_MS, "The line is dead."), aborted.promise]);
}

/** By topic and id, "" where a topic is compared as a whole. */
type Fingerprints = ReadonlyMap<string, { topic: Topic; id: string; print: string }>;

/** What servers hold in memory and screens show. `xmin` changes with every writing of a row. */
async function readFingerprints(db: Db): Promise<Fingerprints> {
  const rows = await rowsOf<{ topic: Topic; id: string; print: string }>(db)`
    select 'model' as topic, '' as id, coalesce(max(version), 0)::text as print from watchfloor.model
    union all
    select 'user', id, md5((email, name, colour, role, attributes, status)::text) from watchfloor."user"
    union all
    select 'views', json_build_object('table', table_name, 'owner', case when shared then null else owner end)::text,
      md5(string_agg(concat_ws(' ', id, xmin), ',' order by id))
    from watchfloor.view group by 2
    union all
    select 'wallboards', '', md5(concat_ws('|',
      (select string_agg(concat_ws(' ', w.id, w.xmin, p.name, '/', u.name), ',' order by w.id)
        from watchfloor.wallboard w
        left join watchfloor."user" p on p.id = w.published_by
        left join watchfloor."user" u on u.id = w.updated_by
        where w.removed_at is null),
      (select string_agg(concat_ws(' ', a.ctid, a.xmin, u.name), ',' order by a.ctid)
        from watchfloor.tile_acknowledgement a left join watchfloor."user" u on u.id = a.by)))
    union all
    select 'comment', n::text, changed_at::text from watchfloor.comment
    where changed_at > now() - interval '20 seconds'
    union all
    select 'inbox', user_id, max(changed_at)::text from watchfloor.inbox_entry
    where changed_at > now() - interval '20 seconds' group by user_id`;
  return new Map(rows.map((row) => [keyOf(row.topic, row.id), row]));
}

function* differences(known: Fingerprints, found: Fingerprints): Iterable<TopicChange> {
  for (const [key, { topic, id, print }] of found) {
    if (known.get(key)?.print !== print) yield { topic, id: id || null };
  }
  for (const [key, { topic, id }] of known) {
    // Comments and entries of inboxes leave the fingerprint by their age.
    if (!found.has(key) && topic !== "comment" && topic !== "inbox")
      yield { topic, id: id || null };
  }
}

/** The number of notifications of a topic that are handled at once within `INTERVAL_MS`. */
const MESSAGES_PER_INTERVAL = 50;
const INTERVAL_MS = 100;
/** During a flood the same number is handled in this time. */
const FLOOD_INTERVAL_MS = 1_000;

/**
 * Whoever may connect to the database may notify, as often as they like. Notifications of a topic beyond the bound are not handled
 * one by one: one without an id, when the interval ends, replaces all of them. Those of feeds are not bounded: other programs may
 * commit as often, and the relay reads as much at once as there is. Returns the handler to call.
 */
export function boundMessages(
  handle: (topic: Topic, id: string | null) => void,
): (topic: Topic, id: string | null) => void {
  const counts = new Map<Topic, number>();

  const count = (topic: Topic, ms: number) => {
    counts.set(topic, 0);
    setTimeout(() => end(topic), ms).unref();
  };
  const end = (topic: Topic) => {
    const wasFlooded = (counts.get(topic) ?? 0) > MESSAGES_PER_INTERVAL;
    counts.delete(topic);
    if (!wasFlooded) return;
    count(topic, FLOOD_INTERVAL_MS);
    handle(topic, null);
  };

  return (topic, id) => {
    if (topic === "feed") return handle(topic, id);
    if (!counts.has(topic)) count(topic, INTERVAL_MS);
    const handled = (counts.get(topic) ?? 0) + 1;
    counts.set(topic, handled);
    if (handled <= MESSAGES_PER_INTERVAL) handle(topic, id);
  };
}
