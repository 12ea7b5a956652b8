import { idOfTable, type Model, type Table } from "../../shared/model/model.ts";
import type { NoticeMessage } from "../../shared/protocol/signals.ts";
import { type CompiledScope, isInScope } from "../policy/compiled-scope.ts";
import { readDeletion } from "../store/change-history.ts";
import type { ChangeNotifier } from "../store/change-notifier.ts";
import { readRecreations, recentChanges, type ThreadChange, threadOf } from "../store/comments.ts";
import type { Database } from "../store/database.ts";
import { readStoredRecord } from "../store/records.ts";
import { hiddenBy, isHidden } from "./hidden-comments.ts";

/** Where it is not known which comments changed. */
const RECENT_S = 60;

/**
 * Notifies connections of changed comments that they may see: those whose scope includes the record now. A notice has no text;
 * clients read the comments again.
 */
export class CommentNotices {
  readonly #deps;
  #undo = () => {};

  constructor(deps: {
    notifier: ChangeNotifier;
    database: Database;
    model: () => Model;
    /** The scope groups of a table on this server. */
    groups: (table: string) => Iterable<{ readonly name: string; readonly scope: CompiledScope }>;
    toRoom: (group: string, notice: NoticeMessage) => void;
  }) {
    this.#deps = deps;
  }

  start(): void {
    this.#undo = this.#deps.notifier.on("comment", ({ id }) => this.#notifyOf(id));
  }

  stop(): void {
    this.#undo();
  }

  /** Of a comment by its number, null: of all that may have changed. */
  async #notifyOf(n: string | null): Promise<void> {
    const { kysely } = this.#deps.database;
    if (n === null) {
      for (const thread of await recentChanges(kysely, RECENT_S)) await this.#notify(thread);
    } else if (Number.isSafeInteger(Number(n))) {
      const thread = await threadOf(kysely, Number(n));
      if (thread) await this.#notify(thread);
    }
  }

  async #notify({ table_id, record, n }: ThreadChange): Promise<void> {
    const { model, groups, toRoom } = this.#deps;
    const table = model().tables.find((one) => idOfTable(one) === table_id);
    const own = table ? [...groups(table.name)] : [];
    if (!table || own.length === 0) return;
    const values = await this.#readValues(table, record);
    if (!values) return;
    const isLimited = own.some(({ scope }) => scope.sees !== null);
    const recreations = isLimited ? await this.#readRecreations(table, record) : [];
    for (const { name, scope } of own) {
      if (!isInScope(scope, record, values)) continue;
      if (scope.sees && isHidden(hiddenBy(recreations, scope.sees), { record, n })) continue;
      toRoom(name, { kind: "comment", table: table.name, record });
    }
  }

  #readRecreations(table: Table, record: string) {
    const { kysely } = this.#deps.database;
    return readRecreations(kysely, table.name, idOfTable(table), [record]);
  }

  /** As the record is, or was when it was deleted. */
  async #readValues(table: Table, record: string) {
    const { database } = this.#deps;
    const stored = await readStoredRecord(database, table, record, null);
    return stored?.values ?? (await readDeletion(database.pool, table.name, record))?.before;
  }
}
