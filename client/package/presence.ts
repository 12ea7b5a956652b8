import type { Json } from "../../shared/filter/filter.ts";
import type { PresenceUser } from "../../shared/protocol/presence.ts";
import type { AtomStore } from "../src/state/atom-store.ts";
import { presenceAtom } from "../src/state/table-state.ts";
import type { PresenceReporter } from "../src/sync/connection/presence.ts";
import type { TableSession } from "../src/sync/feed/followed-tables.ts";

/** Where somebody is: on the table, on one of its records, or in a field of it. */
export interface Place<V> {
  record?: string;
  field?: keyof V & string;
  /** By default `viewing`. */
  mode?: "viewing" | "editing";
}

/** One connection of a user who is on the table; `connection` differs for each of their tabs and programs. */
export interface PresentUser<V> extends Readonly<Omit<PresenceUser, "field">> {
  readonly field?: keyof V & string;
}

/** The users on a table that the caller may see, and the caller's own place. */
export class Presence<V = Record<string, Json>> {
  readonly #deps;
  readonly #stops = new Set<() => void>();
  #isClosed = false;

  constructor(deps: {
    table: string;
    session: TableSession;
    reporter: PresenceReporter;
    store: AtomStore;
  }) {
    this.#deps = deps;
  }

  /** All other connections on the table; none while this one is lost. */
  get users(): readonly PresentUser<V>[] {
    if (this.#isClosed) return [];
    const { store, table } = this.#deps;
    return store.get(presenceAtom(table)) as readonly PresentUser<V>[];
  }

  /** Calls back with the users, now and after each change. Returns a function that stops it. */
  onChange(watcher: (users: readonly PresentUser<V>[]) => void): () => void {
    const { store, table } = this.#deps;
    let known = "";
    // The server also sends the list when only the caller's own place has changed.
    const notify = () => {
      const users = JSON.stringify(this.users);
      if (users === known) return;
      known = users;
      watcher(this.users);
    };
    const stop = store.sub(presenceAtom(table), notify);
    this.#stops.add(stop);
    notify();
    return stop;
  }

  /**
   * Shows the caller's place to the others. A connection has one place, the last one that was set on any table. It is
   * sent at most ten times a second, and again after a lost connection.
   */
  set({ mode = "viewing", ...place }: Place<V> = {}): void {
    if (!this.#isClosed) this.#deps.reporter.set(this.#deps.table, { ...place, mode });
  }

  /** Removes the caller from the table. */
  leave(): void {
    this.#deps.reporter.leave(this.#deps.table);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.leave();
    for (const stop of this.#stops) stop();
    this.#deps.session.close();
  }
}
