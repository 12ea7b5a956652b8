import type { AtomStore } from "../src/state/atom-store.ts";
import type { TableSession } from "../src/sync/feed/followed-tables.ts";
import type { RowList } from "../src/sync/rows/row-list.ts";
import type { TableRecord, View } from "./table-client.ts";

/**
 * The first records of a view, always current: in order, with records that enter the view and without those that leave it.
 * The caller's own edits are included at once, their new records once they are stored.
 */
export class LiveView<V> {
  readonly #session: TableSession;
  readonly #rowList: RowList;
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
    this.#rowList = session.openRowList({
      filter: filter ?? null,
      sort: sort ?? [],
      search: search ?? "",
    });
    this.#rowList.setVisible(0, limit);
    this.#rowList.onRows(() => this.#readAgain());
    // A record created by another user changes no row until the rows are realigned.
    this.#stop = store.sub(this.#rowList.statusAtom, () => {
      if (this.#isUnaligned()) this.#readAgain();
    });
    this.#first = this.#read();
    // Nobody may be waiting for `ready`.
    this.#first.catch(() => undefined);
  }

  /** The records now. */
  get records(): readonly TableRecord<V>[] {
    return this.#records;
  }

  /** How many records match; an estimate if there are very many. */
  get total(): number {
    return this.#rowList.status.total;
  }

  /** Resolves when the records are read; rejects with a `WatchfloorError` if they can't be. */
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
    this.#rowList.close();
    this.#session.close();
  }

  /**
   * Whether rows have to be realigned, or the caller's own new records are not among them yet. False while the table may
   * not be read, because every attempt would fail at once.
   */
  #isUnaligned(): boolean {
    const { phase, waiting, displaced } = this.#rowList.status;
    if (phase === "refused") return false;
    return waiting + displaced > 0 || this.#rowList.created.some(({ pending }) => pending === null);
  }

  /** Records that can't be read now, as after `close()`, are read when the row list reports a change. */
  #readAgain(): void {
    this.#read().catch(() => undefined);
  }

  /** Only one read at a time; later changes are covered by the next one. */
  async #read(): Promise<void> {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isStale && !this.#rowList.isClosed) {
        this.#isStale = false;
        if (this.#isUnaligned()) this.#rowList.realign();
        const { rows } = await this.#rowList.getRows(0, this.#limit);
        this.#records = rows as readonly TableRecord<unknown>[] as readonly TableRecord<V>[];
      }
    } finally {
      this.#isReading = false;
    }
    for (const watcher of this.#watchers) watcher(this.#records);
  }
}
