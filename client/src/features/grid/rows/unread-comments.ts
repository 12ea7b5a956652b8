import { Listeners } from "../../../../../shared/listeners.ts";
import { onUpdate } from "../../../state/updates.ts";
import { rest } from "../../../transport/rest/rest.ts";

/** Unread comments are among the latest ones. Counting them for each record would cost a query for every page of rows. */
const LATEST = 100;
/** Notices in quick succession are read together. */
const READ_DELAY_MS = 500;

/** How many unread comments the records of a table have, as far as they are among its latest. */
export class UnreadComments {
  readonly #table: string;
  readonly #listeners = new Listeners();
  #stop: (() => void) | null = null;
  #counts: ReadonlyMap<string, number> = new Map();
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(table: string) {
    this.#table = table;
  }

  /** Reads and follows them until `stop`. */
  start(): void {
    this.#stop = onUpdate(["comment"], () => this.reload());
    this.reload();
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  of(record: string): number {
    return this.#counts.get(record) ?? 0;
  }

  /** Reads them again, as after a record was closed whose comments were read. */
  reload(): void {
    this.#timer ??= setTimeout(() => void this.#read(), READ_DELAY_MS);
  }

  stop(): void {
    this.#stop?.();
    if (this.#timer) clearTimeout(this.#timer);
  }

  async #read(): Promise<void> {
    this.#timer = null;
    // Without an answer the marks stay as they are; the next notice reads again.
    const page = await rest("GET /comments", {
      query: { table: this.#table, limit: LATEST },
    }).catch(() => null);
    if (!page) return;
    const counts = new Map<string, number>();
    for (const { record, unread } of page.items) {
      if (unread) counts.set(record, (counts.get(record) ?? 0) + 1);
    }
    this.#counts = counts;
    this.#listeners.emit();
  }
}
