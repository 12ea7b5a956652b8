import type { Values } from "../../../../shared/model/model.ts";
import type { Clock } from "../clock.ts";
import { idFilter, type PageReader } from "../records/page-reader.ts";
import { type Alignment, wireView } from "./row-loader.ts";
import { PROBE_MAX_RECORDS } from "./waiting-records.ts";

/** Questions of this long are asked together. */
const PROBE_EVERY_MS = 1_500;
/** The total is counted again at most this often while the view moves. */
const RECOUNT_EVERY_MS = 5_000;

export interface ProbeDeps {
  table: string;
  clock: Clock;
  reader: PageReader;
  alignment(): Alignment;
  onTotal(total: number, exact: boolean): void;
  /** Whether a record that has a row still belongs to the view. */
  onEvaluated(id: string, matches: boolean): void;
  onWaiting(): void;
}

/**
 * Asks the server what the browser can't evaluate: which of some records belong to a view (a search, or
 * a patch of a record that is not held), and how many there are in all. Seldom, and many at once.
 */
export class WindowProbe {
  readonly #deps: ProbeDeps;
  readonly #rows = new Set<string>();
  #probe: (() => void) | null = null;
  #recount: (() => void) | null = null;
  #isStopped = false;

  constructor(deps: ProbeDeps) {
    this.#deps = deps;
  }

  /** Records without a row wait in `WaitingRecords` to be asked about. */
  request(): void {
    this.recount();
    this.#probe ??= this.#schedule(PROBE_EVERY_MS, () => {
      this.#probe = null;
      void this.#run();
    });
  }

  requestRow(row: string): void {
    if (this.#rows.size < PROBE_MAX_RECORDS) this.#rows.add(row);
    this.request();
  }

  recount(): void {
    this.#recount ??= this.#schedule(RECOUNT_EVERY_MS, () => {
      this.#recount = null;
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
    return this.#deps.clock.after(ms * (0.75 + this.#deps.clock.random() / 2), task);
  }

  async #run(): Promise<void> {
    const alignment = this.#deps.alignment();
    const rows = [...this.#rows];
    this.#rows.clear();
    const unknownIds = alignment.waiting.takeUnknown();
    const found = await this.#matching(alignment, [...rows, ...unknownIds]).catch(() => null);
    if (!found || this.#isStopped || this.#deps.alignment() !== alignment) return;
    for (const id of rows) this.#deps.onEvaluated(id, found.has(id));
    for (const id of unknownIds) {
      const values = found.get(id);
      if (!values) alignment.waiting.remove(id);
      else if (!alignment.order.has(id)) alignment.waiting.add({ id, values });
    }
    this.#deps.onWaiting();
  }

  /** Those of the records that belong to the view, by the server's judgement. */
  async #matching({ view }: Alignment, ids: readonly string[]): Promise<Map<string, Values>> {
    const found = new Map<string, Values>();
    const { idsMax } = this.#deps.reader;
    for (let start = 0; start < ids.length; start += idsMax) {
      const portion = ids.slice(start, start + idsMax);
      const filter = view.filter ? { and: [view.filter, idFilter(portion)] } : idFilter(portion);
      const call = { table: this.#deps.table, ...wireView({ ...view, filter }), limit: idsMax };
      await this.#deps.reader.read(call, (_page, records) => {
        for (const [id, { values, deleted }] of records) if (!deleted) found.set(id, values);
      });
    }
    return found;
  }

  async #count(): Promise<void> {
    if (this.#isStopped) return;
    const alignment = this.#deps.alignment();
    const call = { table: this.#deps.table, ...wireView(alignment.view), limit: 0 };
    await this.#deps.reader
      .read(call, ({ total, totalExact }) => {
        if (this.#deps.alignment() === alignment && !this.#isStopped) {
          this.#deps.onTotal(total, totalExact);
        }
      })
      .catch(() => {});
  }
}
