import type { Filter, Json } from "../../shared/filter/filter.ts";
import { type ErrorCode, Refusal } from "../../shared/protocol/errors.ts";
import type { WireChange } from "../../shared/protocol/feed.ts";
import type { AtomStore } from "../src/state/atom-store.ts";
import { tableAtom } from "../src/state/table-state.ts";
import type { ClientCore } from "../src/sync/client-core.ts";
import type { SubmittedEdit } from "../src/sync/edits/pending-edits.ts";
import type { RestCall } from "../src/transport/rest/rest.ts";
import type { Ending } from "./ending.ts";
import { LiveView } from "./live-view.ts";
import { Presence } from "./presence.ts";
import { untilAnswered } from "./retry.ts";
import type { CreateOf, EditOf, StateOf, TransitionOf, ValuesOf, View } from "./table-types.ts";

/** A record as it was read: the base of an edit. */
export interface TableRecord<V = Record<string, Json>> {
  readonly id: string;
  readonly values: Readonly<V>;
  readonly version: string | null;
}

/** A change as the reader sees it: a record that enters their scope is an `insert`, one that leaves it a `delete`. */
export interface ChangeOf<V> extends Omit<WireChange, "set"> {
  set: Partial<V>;
  /** The position to continue from after this change. */
  position: string;
}

/** An edit that is stored: `seq` is its place in the table's log. */
export interface Saved {
  record: string;
  seq: number;
}

/**
 * One table. Edits resolve when they are stored, and reject with a `WatchfloorError` of the catalogue: `conflict` names
 * for each field the stored value and its author.
 */
export class TableClient<T> {
  readonly #deps;

  constructor(deps: {
    table: string;
    core: ClientCore;
    store: AtomStore;
    rest: RestCall;
    ending: Ending;
  }) {
    this.#deps = deps;
  }

  /** A page of records, and how many match. */
  async query(
    view: View<ValuesOf<T>> & { limit?: number; offset?: number } = {},
  ): Promise<{ records: TableRecord<ValuesOf<T>>[]; total: number; totalExact: boolean }> {
    const { filter, sort, ...rest } = view;
    const query = {
      ...rest,
      ...(filter && { filter: wireFilter(filter) }),
      ...(sort && { sort: [...sort] }),
    };
    const page = await this.#deps.rest("GET /tables/{table}/records", {
      params: { table: this.#deps.table },
      query,
    });
    return page as never;
  }

  /** One record; null if there is none that the token may read. */
  async get(id: string): Promise<TableRecord<ValuesOf<T>> | null> {
    const params = { table: this.#deps.table, id };
    try {
      return (await this.#deps.rest("GET /tables/{table}/records/{id}", { params })) as never;
    } catch (error) {
      if (error instanceof Refusal && ["not_found", "record_deleted"].includes(error.code))
        return null;
      throw error;
    }
  }

  create(values: CreateOf<T>, id?: string): Promise<Saved> {
    return this.#saved(this.#deps.core.edits.create(this.#deps.table, wireValues(values), id));
  }

  /** Sets fields. Rejects with `conflict` if another user has changed one of them since the record was read. */
  update(
    { id, values }: Pick<TableRecord<ValuesOf<T>>, "id" | "values">,
    set: EditOf<T>,
  ): Promise<Saved> {
    const edit = { record: id, set: wireValues(set), base: baseOf(values, set) };
    return this.#saved(this.#deps.core.edits.edit(this.#deps.table, edit));
  }

  /** Deletes a record. Rejects with `conflict` if it has changed since it was read. */
  delete({ id, version }: Pick<TableRecord, "id" | "version">): Promise<Saved> {
    return this.#saved(this.#deps.core.edits.delete(this.#deps.table, id, version ?? undefined));
  }

  /** Runs a transition. `from` is the state that the caller saw. */
  transition(
    { id, values }: Pick<TableRecord<ValuesOf<T>>, "id" | "values">,
    transition: TransitionOf<T>,
    { from, set, reason }: { from: StateOf<T> & string; set?: EditOf<T>; reason?: string },
  ): Promise<Saved> {
    const step = {
      transition,
      from,
      ...(set && { set: wireValues(set), base: baseOf(values, set) }),
      ...(reason !== undefined && { reason }),
    };
    return this.#saved(this.#deps.core.edits.transition(this.#deps.table, id, step));
  }

  /** The first records of a view, up to `limit`, updated with every change until `close()`. */
  live(view: View<ValuesOf<T>> = {}, limit = 1_000): LiveView<ValuesOf<T>> {
    const { core, store, table } = this.#deps;
    const { filter, sort, search } = view;
    const plain = {
      ...(filter && { filter: wireFilter(filter) }),
      ...(sort && { sort: [...sort] }),
      ...(search !== undefined && { search }),
    };
    return new LiveView({ session: core.openTable(table), store }, plain, limit);
  }

  /** The users on the table, and a way to set the caller's own place, until `close()`. */
  presence(): Presence<ValuesOf<T>> {
    const { core, store, table } = this.#deps;
    return new Presence({ table, store, reporter: core.presence, session: core.openTable(table) });
  }

  /**
   * The changes of the table after a position, in the order of the log, as they are committed, until the loop ends or the
   * connection is closed. Without a position it returns changes from now on. While the server does not answer, it waits.
   * Store the `position` of the last handled change to continue after a restart of the program. Throws `resync_required`
   * if the log does not reach back that far.
   */
  async *changes(after?: string): AsyncGenerator<ChangeOf<ValuesOf<T>>> {
    const { core, store, rest, table, ending } = this.#deps;
    const session = core.openTable(table);
    let wake = () => {};
    const stops = [store.sub(tableAtom(table), () => wake()), ending.listen(() => wake())];
    /** Undefined once the connection is over. */
    const answerOf = <Answer>(call: () => Promise<Answer>) =>
      untilAnswered(ending, call).catch((error: unknown) => {
        if (!ending.isOver) throw error;
      });
    try {
      for (let from = after ?? (await answerOf(() => this.#head())); ; ) {
        if (ending.refusal) throw ending.refusal;
        if (ending.isOver || from === undefined) return;
        const next = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const query = { table, after: from };
        const page = await answerOf(() => rest("GET /changes", { query }));
        if (!page) continue;
        if (!("seq" in page)) throw new Refusal("internal");
        for (const change of page.items) {
          yield { ...change, position: `${page.epoch}.${change.seq}` } as never;
        }
        from = `${page.epoch}.${page.seq}`;
        if (page.seq >= page.head) await next;
      }
    } finally {
      for (const stop of stops) stop();
      session.close();
    }
  }

  async #head(): Promise<string> {
    const query = { limit: 0 };
    const params = { table: this.#deps.table };
    const { epoch, seq } = await this.#deps.rest("GET /tables/{table}/records", { params, query });
    return `${epoch}.${seq}`;
  }

  async #saved({ refs, outcome }: SubmittedEdit): Promise<Saved> {
    const done = await this.#deps.ending.orRefusal(outcome);
    if (done.kind === "confirmed") return { record: done.record, seq: done.seq };
    for (const ref of refs) this.#deps.core.edits.drop(ref);
    if (done.kind !== "refused") throw new Refusal("validation_failed");
    throw Refusal.fromBody({
      ...done.detail,
      code: done.code as ErrorCode,
      message: done.message,
    });
  }
}

/** Values as they are sent: an instant may be given as a `Date`. */
function wireValues(values: object): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : (value as Json),
    ]),
  );
}

/** The same in a filter. */
function wireFilter(filter: object): Filter {
  return JSON.parse(JSON.stringify(filter));
}

/** The values of the fields to be set, as the caller saw them. */
function baseOf(values: object, set: object): Record<string, Json> {
  const seen = new Map(Object.entries(values));
  return Object.fromEntries(Object.keys(set).map((name) => [name, seen.get(name) ?? null]));
}
