import type { Logger } from "pino";
import { z } from "zod";
import { idOfTable, type Model, type Table } from "../../shared/model/model.ts";
import type { NoticeMessage } from "../../shared/protocol/signals.ts";
import type { BusChannel, MessageBus } from "../messaging/bus-channel.ts";
import { type CompiledScope, isInScope } from "../policy/compiled-scope.ts";
import { readDeletion } from "../store/change-history.ts";
import { type CommentChange, readRecreations, recentChanges } from "../store/comments.ts";
import type { Database } from "../store/database.ts";
import { every } from "../store/every.ts";
import { readStoredRecord } from "../store/records.ts";
import { hiddenBy, isHidden } from "./hidden-comments.ts";

/** Comments that were changed or read on the server that publishes it. */
export const commentChannel: BusChannel<CommentChange> = {
  name: "comments",
  schema: z.object({
    users: z.array(z.string()),
    thread: z
      .object({ table_id: z.string(), record: z.string(), n: z.number().exactOptional() })
      .exactOptional(),
  }),
};

const CHECK_INTERVAL_MS = 5_000;
/** Covers the checks before and after the bus failed; a thread is noticed twice rather than not at all. */
const CHECK_SPAN_S = 15;

/**
 * Notifies connections of changed comments that they may see: those whose scope includes the record now, and those of
 * mentioned users. A notice has no text; clients read the comments again. While the bus is degraded, changes made on
 * other servers are found in the database.
 */
export class CommentNotices {
  readonly #deps;
  readonly #undo: (() => void)[] = [];

  constructor(deps: {
    bus: MessageBus & { state(): "live" | "degraded" };
    database: Database;
    model: () => Model;
    /** The scope groups of a table on this server. */
    groups: (table: string) => Iterable<{ readonly name: string; readonly scope: CompiledScope }>;
    toRoom: (group: string, notice: NoticeMessage) => void;
    /** Notifies these users, on this server, that their mentions may have changed. */
    toMentioned: (users: readonly string[]) => void;
    log: Pick<Logger, "debug">;
  }) {
    this.#deps = deps;
  }

  start(): void {
    const { bus } = this.#deps;
    let wasDegraded = false;
    const check = () => {
      const isDegraded = bus.state() === "degraded";
      if (isDegraded || wasDegraded) void this.#check();
      wasDegraded = isDegraded;
    };
    this.#undo.push(
      bus.subscribe(commentChannel, (change) => void this.#notify(change)),
      every(CHECK_INTERVAL_MS, check),
    );
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }

  async #check(): Promise<void> {
    const { database, log } = this.#deps;
    try {
      const changes = await recentChanges(database.kysely, CHECK_SPAN_S);
      for (const change of changes) await this.#notify(change);
    } catch (err) {
      log.debug({ err }, "changed comments could not be read");
    }
  }

  async #notify({ users, thread }: CommentChange): Promise<void> {
    const { model, groups, toRoom, toMentioned, log } = this.#deps;
    if (users.length > 0) toMentioned(users);
    const table = model().tables.find((one) => idOfTable(one) === thread?.table_id);
    const own = table ? [...groups(table.name)] : [];
    if (!table || !thread || own.length === 0) return;
    const { record, n = Number.POSITIVE_INFINITY } = thread;
    try {
      const values = await this.#readValues(table, record);
      if (!values) return;
      const isLimited = own.some(({ scope }) => scope.sees !== null);
      const recreations = isLimited ? await this.#readRecreations(table, record) : [];
      for (const { name, scope } of own) {
        if (!isInScope(scope, record, values)) continue;
        if (scope.sees && isHidden(hiddenBy(recreations, scope.sees), { record, n })) continue;
        toRoom(name, { kind: "comment", table: table.name, record });
      }
    } catch (err) {
      log.debug({ err }, "a comment could not be announced");
    }
  }

  #readRecreations(table: Table, record: string) {
    const { kysely } = this.#deps.database;
    return readRecreations(kysely, table.name, idOfTable(table), [record]);
  }

  /** As the record is, or was when it was deleted. */
  async #readValues(table: Table, record: string) {
    const { database } = this.#deps;
    const stored = await readStoredRecord(database, table, record);
    return stored?.values ?? (await readDeletion(database.pool, table.name, record))?.before;
  }
}
