import { z } from "zod";
import { idOfTable, type Model, type Table } from "../../shared/model/model.ts";
import type { BusChannel, MessageBus } from "../../shared/protocol/bus-channel.ts";
import type { NoticeMessage } from "../../shared/protocol/signals.ts";
import { type CompiledScope, isInScope } from "../policy/compiled-scope.ts";
import { readDeletion } from "../store/change-history.ts";
import { type ChangedThread, recentThreads } from "../store/comments.ts";
import type { Database } from "../store/database.ts";
import { readStoredRecord } from "../store/records.ts";

/** A thread that changed on some server. */
const CHANNEL: BusChannel<ChangedThread> = {
  name: "comments",
  schema: z.object({ table_id: z.string(), record: z.string(), users: z.array(z.string()) }),
};

export interface CommentNoticesDeps {
  bus: MessageBus & { state(): "live" | "degraded" };
  database: Database;
  model: () => Model;
  /** The scope groups of a table on this server. */
  groups: (table: string) => Iterable<{ readonly name: string; readonly scope: CompiledScope }>;
  toRoom: (group: string, notice: NoticeMessage) => void;
  /** Notifies these users, on this server, that their mentions may have changed. */
  toMentioned: (users: readonly string[]) => void;
  log: { debug(context: object, text: string): void };
}

const CHECK_INTERVAL_MS = 5_000;
/** Covers the checks before and after the bus failed; a thread is noticed twice rather than not at all. */
const CHECK_SPAN_S = 15;

/**
 * Notifies connections of changed comments: those whose scope includes the record now, and those of mentioned
 * users. A notice has no text; clients read the comments again. While the bus is degraded, changes made on
 * other servers are found in the database.
 */
export class CommentNotices {
  readonly #deps: CommentNoticesDeps;
  readonly #undo: (() => void)[] = [];

  constructor(deps: CommentNoticesDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { bus } = this.#deps;
    let wasDegraded = false;
    const timer = setInterval(() => {
      const isDegraded = bus.state() === "degraded";
      if (isDegraded || wasDegraded) void this.#check();
      wasDegraded = isDegraded;
    }, CHECK_INTERVAL_MS);
    this.#undo.push(
      bus.subscribe(CHANNEL, (thread) => void this.#notify(thread)),
      () => clearInterval(timer),
    );
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }

  /** A thread changed on this server. */
  publish(thread: ChangedThread): void {
    this.#deps.bus.publish(CHANNEL, thread);
  }

  async #check(): Promise<void> {
    const { database, log } = this.#deps;
    try {
      const threads = await recentThreads(database.kysely, CHECK_SPAN_S);
      for (const thread of threads) await this.#notify(thread);
    } catch (err) {
      log.debug({ err }, "changed comments could not be read");
    }
  }

  async #notify({ table_id, record, users }: ChangedThread): Promise<void> {
    const { model, groups, toRoom, toMentioned, log } = this.#deps;
    if (users.length > 0) toMentioned(users);
    const table = model().tables.find((one) => idOfTable(one) === table_id);
    if (!table || [...groups(table.name)].length === 0) return;
    try {
      const values = await this.#readValues(table, record);
      if (!values) return;
      for (const { name, scope } of groups(table.name)) {
        if (!isInScope(scope, record, values)) continue;
        toRoom(name, { kind: "comment", table: table.name, record });
      }
    } catch (err) {
      log.debug({ err }, "a comment could not be announced");
    }
  }

  /** As the record is, or was when it was deleted. */
  async #readValues(table: Table, record: string) {
    const { database } = this.#deps;
    const stored = await readStoredRecord(database, table, record);
    return stored?.values ?? (await readDeletion(database.pool, table.name, record))?.before;
  }
}
