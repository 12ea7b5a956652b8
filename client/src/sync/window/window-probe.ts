import type { Values } from "../../../../shared/model/model.ts";
import { idFilter } from "../records/page-reader.ts";
import { type Alignment, wireView } from "./row-loader.ts";
import type { ShownRows } from "./shown-rows.ts";
import { PROBE_MAX_RECORDS } from "./waiting-records.ts";
import type { WindowDeps } from "./window-deps.ts";

/** Questions of this long are asked together. */
const PROBE_EVERY_MS = 1_500;
/** The total is counted again at most this often while the view moves. */
const RECOUNT_EVERY_MS = 5_000;
/** After a change of the user's own, who looks for it in the total. */
const RECOUNT_SOON_MS = 300;

/**
 * Asks the server what the browser can't evaluate: which of some records belong to a view (a search, or
 * a patch of a record that is not held), and how many there are in all. Seldom, many at once, and one question of a kind at a
 * time: a server in trouble may take long.
 */
export class WindowProbe {
  readonly #deps: WindowDeps;
  readonly #shown: ShownRows;
  readonly #onEvaluated: (id: string, matches: boolean) => void;
  readonly #rows = new Set<string>();
  #probe: (() => void) | null = null;
  #recount: (() => void) | null = null;
  #isRecountSoon = false;
  #isProbing = false;
  #isCounting = false;
  #isStopped = false;

  /** `onEvaluated` receives whether a record that has a row still belongs to the view. */
  constructor(
    deps: WindowDeps,
    shown: ShownRows,
    onEvaluated: (id: string, matches: boolean) => void,
  ) {
    this.#deps = deps;
    this.#shown = shown;
    this.#onEvaluated = onEvaluated;
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
    return this.#deps.clock.after(ms * (0.75 + this.#deps.clock.random() / 2), task);
  }

  async #run(): Promise<void> {
    if (this.#isProbing) {
      this.request();
      return;
    }
    this.#isProbing = true;
    const { alignment } = this.#shown;
    const rows = [...this.#rows];
    this.#rows.clear();
    const unknownIds = alignment.waiting.takeUnknown();
    const found = await this.#matching(alignment, [...rows, ...unknownIds]).catch(() => null);
    this.#isProbing = false;
    if (!found || this.#isStopped || this.#shown.alignment !== alignment) return;
    for (const id of rows) this.#onEvaluated(id, found.has(id));
    for (const id of unknownIds) {
      const values = found.get(id);
      if (!values) alignment.waiting.remove(id);
      else if (!alignment.order.has(id)) alignment.waiting.add({ id, values });
    }
    this.#shown.count();
  }

  /** Those of the records that belong to the view, by the server's judgement. */
  async #matching({ view }: Alignment, ids: readonly string[]): Promise<Map<string, Values>> {
    const found = new Map<string, Values>();
    const { reader } = this.#deps;
    for (let start = 0; start < ids.length; ) {
      const portion = ids.slice(start, start + reader.idsMax);
      const filter = view.filter ? { and: [view.filter, idFilter(portion)] } : idFilter(portion);
      const limit = portion.length;
      const call = { table: this.#deps.table, ...wireView({ ...view, filter }), limit };
      const isRead = await reader.read(call, (_page, records) => {
        for (const [id, { values, deleted }] of records) if (!deleted) found.set(id, values);
      });
      if (isRead) start += limit;
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
    const { alignment } = this.#shown;
    const call = { table: this.#deps.table, ...wireView(alignment.view), limit: 0 };
    await this.#deps.reader
      .read(call, ({ total, totalExact }) => {
        if (this.#shown.alignment === alignment && !this.#isStopped) {
          this.#shown.applyTotal(total, totalExact);
        }
      })
      .catch(() => {});
    this.#isCounting = false;
  }
}
