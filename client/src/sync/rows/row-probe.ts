import type { Values } from "../../../../shared/model/model.ts";
import type { Page } from "../../../../shared/protocol/feed.ts";
import { idFilter } from "../records/page-reader.ts";
import type { RowSource } from "./row-loader.ts";
import { PROBE_MAX_RECORDS, type RowTable } from "./row-table.ts";
import { wireView } from "./view-query.ts";

/** Questions of this long are asked together. */
const PROBE_EVERY_MS = 1_500;
/** The total is counted again at most this often while the view moves. */
const RECOUNT_EVERY_MS = 5_000;
/** After a change of the user's own, who looks for it in the total. */
const RECOUNT_SOON_MS = 300;

interface ProbeEvents {
  /** The values of those of the requested `rows`, and of the table's `unknown` records, that belong to the view. */
  onFound(
    found: ReadonlyMap<string, Values>,
    requested: { rows: readonly string[]; unknown: ReadonlyMap<string, boolean> },
  ): void;
  onCounted(page: Page): void;
}

/**
 * Asks the server what the browser can't evaluate: which of some records belong to a view (a search, or a patch of a record that is not
 * cached), and how many there are in all. Seldom, many at once, and one question of a kind at a time: a server in trouble may take long.
 * An answer about a table that is not shown any more is dropped.
 */
export class RowProbe {
  readonly #source: RowSource;
  readonly #shown: () => RowTable;
  readonly #events: ProbeEvents;
  readonly #rows = new Set<string>();
  #probe: (() => void) | null = null;
  #recount: (() => void) | null = null;
  #isRecountSoon = false;
  #isProbing = false;
  #isCounting = false;
  #isStopped = false;

  constructor(source: RowSource, shown: () => RowTable, events: ProbeEvents) {
    this.#source = source;
    this.#shown = shown;
    this.#events = events;
  }

  /** Asks about the records without a row that the table names, and about `rows` that have one. */
  request(rows: readonly string[] = []): void {
    for (const id of rows) if (this.#rows.size < PROBE_MAX_RECORDS) this.#rows.add(id);
    this.recount();
    this.requestMoved();
  }

  /** The same for records that have moved at most: the count does not change by that. */
  requestMoved(): void {
    this.#probe ??= this.#schedule(PROBE_EVERY_MS, () => {
      this.#probe = null;
      void this.#run();
    });
  }

  recount({ isSoon = false } = {}): void {
    if (isSoon && !this.#isRecountSoon) {
      this.#recount?.();
      this.#recount = null;
      this.#isRecountSoon = true;
    }
    this.#recount ??= this.#schedule(isSoon ? RECOUNT_SOON_MS : RECOUNT_EVERY_MS, () => {
      this.#recount = null;
      this.#isRecountSoon = false;
      void this.#count();
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#probe?.();
    this.#recount?.();
  }

  /** With jitter, so that the screens that saw the same change do not ask at the same moment. */
  #schedule(ms: number, task: () => void): () => void {
    return this.#source.clock.after(ms * (0.75 + this.#source.clock.random() / 2), task);
  }

  async #run(): Promise<void> {
    if (this.#isProbing) {
      this.request();
      return;
    }
    this.#isProbing = true;
    const table = this.#shown();
    const rows = [...this.#rows];
    this.#rows.clear();
    const unknown = table.waiting.takeUnknown();
    const found = await this.#matching(table, [...rows, ...unknown.keys()]).catch(() => null);
    this.#isProbing = false;
    if (!found || this.#isStopped || this.#shown() !== table) return;
    this.#events.onFound(found, { rows, unknown });
  }

  /** Those of the records that belong to the view, as the server says. */
  async #matching({ view }: RowTable, ids: readonly string[]): Promise<Map<string, Values>> {
    const found = new Map<string, Values>();
    const { reader, table } = this.#source;
    for (let start = 0; start < ids.length; ) {
      const portion = ids.slice(start, start + reader.idsMax);
      const filter = view.filter ? { and: [view.filter, idFilter(portion)] } : idFilter(portion);
      const call = { table, ...wireView({ ...view, filter }), limit: portion.length };
      const isRead = await reader.read(call, (_page, records) => {
        for (const [id, { values, deleted }] of records) if (!deleted) found.set(id, values);
      });
      if (isRead) start += portion.length;
    }
    return found;
  }

  async #count(): Promise<void> {
    if (this.#isStopped) return;
    if (this.#isCounting) {
      this.recount();
      return;
    }
    this.#isCounting = true;
    const table = this.#shown();
    const call = { table: this.#source.table, ...wireView(table.view), limit: 0 };
    await this.#source.reader
      .read(call, (page) => {
        if (this.#shown() === table && !this.#isStopped) this.#events.onCounted(page);
      })
      .catch(() => {});
    this.#isCounting = false;
  }
}
