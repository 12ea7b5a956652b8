import { type ErrorCode, Refusal } from "../../shared/protocol/errors.ts";
import type { AtomStore } from "../src/state/atom-store.ts";
import { systemClock } from "../src/sync/clock.ts";
import { retryMs } from "../src/sync/connection/backoff.ts";
import type { TableSession } from "../src/sync/feed/followed-tables.ts";
import type { RowList } from "../src/sync/rows/row-list.ts";
import type { TableRecord } from "./table-client.ts";
import type { View } from "./table-types.ts";

/** What may pass, though not at once: a page asks its user before it tries again, and a program has none. */
const passing: readonly ErrorCode[] = ["query_timeout", "internal", "model_mismatch"];
const RETRY = { baseMs: 2_000, maxMs: 60_000 };

/**
 * The first records of a view, always current: in order, with records that enter the view and without those that leave it.
 * The caller's own edits are included at once, their new records once they are stored.
 */
export class LiveView<V> {
  readonly #session: TableSession;
  readonly #rowList: RowList;
  readonly #limit: number;
  readonly #watchers = new Set<(records: readonly TableRecord<V>[]) => void>();
  readonly #errorWatchers = new Set<(error: Refusal) => void>();
  #error: Refusal | null = null;
  #records: readonly TableRecord<V>[] = [];
  #isReading = false;
  #isStale = false;
  #attempts = 0;
  #cancelRetry: (() => void) | null = null;
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
      this.#noteError();
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

  /** Why the records can't be read, as after a right to the table was withdrawn; null while they can. There are none then. */
  get error(): Refusal | null {
    return this.#error;
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

  /**
   * Calls back when the records can't be read, or can't be read any more; at once if that is so. If they can be read again, `onChange`
   * has them. Returns a function that stops it.
   */
  onError(watcher: (error: Refusal) => void): () => void {
    this.#errorWatchers.add(watcher);
    if (this.#error) watcher(this.#error);
    return () => this.#errorWatchers.delete(watcher);
  }

  close(): void {
    this.#watchers.clear();
    this.#errorWatchers.clear();
    this.#stop();
    this.#cancelRetry?.();
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
    if (this.#error) throw this.#error;
  }

  #noteError(): void {
    const { phase, refusal } = this.#rowList.status;
    const error = phase === "refused" ? (refusal ?? new Refusal("not_found")) : null;
    if (!error) this.#attempts = 0;
    else if (passing.includes(error.code)) this.#retryLater(error);
    if (error === this.#error || (error && this.#error?.code === error.code)) return;
    this.#error = error;
    if (error) for (const watcher of [...this.#errorWatchers]) watcher(error);
  }

  #retryLater({ detail }: Refusal): void {
    if (this.#cancelRetry) return;
    const wait = retryMs(this.#attempts, detail, RETRY, systemClock);
    this.#attempts += 1;
    this.#cancelRetry = systemClock.after(wait, () => {
      this.#cancelRetry = null;
      this.#rowList.retryRefused();
    });
  }
}
