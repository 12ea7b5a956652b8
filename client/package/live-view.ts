import type { AtomStore } from "../src/state/atom-store.ts";
import type { RecordWindow } from "../src/sync/window/record-window.ts";
import type { TableSession } from "../src/sync/window/table-session.ts";
import type { TableRecord, View } from "./table-client.ts";

/**
 * The first records of a view, always as they are stored: in order, without those that left it, with those that entered.
 * The caller's own edits show at once, their new records when they are stored.
 */
export class LiveView<V> {
  readonly #session: TableSession;
  readonly #window: RecordWindow;
  readonly #limit: number;
  readonly #watchers = new Set<(records: readonly TableRecord<V>[]) => void>();
  #records: readonly TableRecord<V>[] = [];
  #isReading = false;
  #isStale = false;
  readonly #first: Promise<void>;

  readonly #stop: () => void;

  constructor(
    { session, store }: { session: TableSession; store: AtomStore },
    { filter, sort, search }: View,
    limit: number,
  ) {
    this.#session = session;
    this.#limit = limit;
    this.#window = session.openWindow({
      filter: filter ?? null,
      sort: sort ?? [],
      search: search ?? "",
    });
    this.#window.setVisible(0, limit);
    this.#window.onRows(() => this.#readAgain());
    // A record that somebody else created changes no row: it waits for an alignment.
    this.#stop = store.sub(this.#window.statusAtom, () => {
      if (this.#isUnaligned()) this.#readAgain();
    });
    this.#first = this.#read();
    // A caller who only watches waits for nothing.
    this.#first.catch(() => undefined);
  }

  /** The records now. */
  get records(): readonly TableRecord<V>[] {
    return this.#records;
  }

  /** How many records match; an estimate where there are very many. */
  get total(): number {
    return this.#window.status.total;
  }

  /** Resolves when the records are read; rejects with a `WatchfloorError` where they can't be. */
  ready(): Promise<void> {
    return this.#first;
  }

  /** Calls back with the records, now and after each change. Returns a function that stops it. */
  onChange(watcher: (records: readonly TableRecord<V>[]) => void): () => void {
    this.#watchers.add(watcher);
    void this.#first
      .then(() => this.#watchers.has(watcher) && watcher(this.#records))
      .catch(() => {});
    return () => this.#watchers.delete(watcher);
  }

  close(): void {
    this.#watchers.clear();
    this.#stop();
    this.#window.close();
    this.#session.close();
  }

  /**
   * Whether rows are not where they belong, or the caller's own new records not among them yet. While the table may not be
   * read this stays so: aligning again would fail at once, and for ever.
   */
  #isUnaligned(): boolean {
    const { phase, waiting, displaced } = this.#window.status;
    if (phase === "refused") return false;
    return waiting + displaced > 0 || this.#window.created.some(({ pending }) => pending === null);
  }

  /** What can't be read now, as after `close()`, is read when the window says that it has changed. */
  #readAgain(): void {
    this.#read().catch(() => undefined);
  }

  /** One reading at a time; what changes meanwhile is read by the next. */
  async #read(): Promise<void> {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isStale && !this.#window.isClosed) {
        this.#isStale = false;
        if (this.#isUnaligned()) this.#window.realign();
        const { rows } = await this.#window.getRows(0, this.#limit);
        this.#records = rows as readonly TableRecord<unknown>[] as readonly TableRecord<V>[];
      }
    } finally {
      this.#isReading = false;
    }
    for (const watcher of this.#watchers) watcher(this.#records);
  }
}
