import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import { Listeners } from "../../../../shared/listeners.ts";
import type { Refusal } from "../../../../shared/protocol/errors.ts";
import type { RecordView } from "../../state/record-view.ts";
import { watchAtom } from "../../state/watch-atom.ts";
import type { SummaryQuery } from "../../sync/calls/summary.ts";
import type { TableSession } from "../../sync/feed/followed-tables.ts";
import { openSummary } from "../../sync/page/open-summary.ts";
import type { Flash } from "../../sync/records/flash.ts";
import type { RowList } from "../../sync/rows/row-list.ts";
import type { ViewQuery } from "../../sync/rows/view-query.ts";
import type { ViewSummary } from "../../sync/rows/view-summary.ts";
import { type ColumnValue, columnFilter, columnOf, type Grouping } from "./grouping.ts";

/** The cards of one column. */
export interface BoardColumn {
  value: ColumnValue;
  cards: readonly RecordView[];
  total: number;
  totalExact: boolean;
  loading: boolean;
  /** Why the server refuses this view. */
  refusal: Refusal | null;
  /** The column has more records than cards are shown. */
  hasMore: boolean;
}

/** The number of cards per column at first, and of those added by "Show more". */
const CARDS_PER_STEP = 40;
/** The shortest time between two realignments of the row lists after changes. */
const REALIGN_DELAY_MS = 400;

/** After this time, a card is assumed to be beyond the loaded cards of its column. */
const MOVE_TIMEOUT_MS = 5_000;

/** Cards that have left one column's row list but not yet appeared in another. They stay until they do. */
class MovingCards {
  readonly #session: TableSession;
  readonly #onTimeout: () => void;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(session: TableSession, onTimeout: () => void) {
    this.#session = session;
    this.#onTimeout = onTimeout;
  }

  get ids(): string[] {
    return [...this.#timers.keys()];
  }

  add(id: string): void {
    if (this.#timers.has(id)) return;
    this.#session.hold(id).catch(() => {});
    const expire = () => {
      this.resolve(id);
      this.#onTimeout();
    };
    this.#timers.set(id, setTimeout(expire, MOVE_TIMEOUT_MS));
  }

  resolve(id: string): void {
    const timer = this.#timers.get(id);
    if (!timer) return;
    clearTimeout(timer);
    this.#timers.delete(id);
    this.#session.release(id);
  }

  close(): void {
    for (const id of this.ids) this.resolve(id);
  }
}

/**
 * A board over one row list for each column. A card is shown in the column of its present value, including pending edits,
 * whichever row list it came from; the row lists are realigned later. A column renders only when its cards change, and is
 * never empty while it is reloaded.
 */
export class BoardModel {
  readonly #session: TableSession;
  readonly #table: string;
  readonly #grouping: Grouping;
  readonly #rowLists = new Map<ColumnValue, RowList>();
  readonly #rows = new Map<ColumnValue, readonly string[]>();
  readonly #limits = new Map<ColumnValue, number>();
  readonly #movingCards: MovingCards;
  readonly #listeners = new Listeners();
  readonly #stops: (() => void)[] = [];
  #columns: readonly BoardColumn[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isClosed = false;

  constructor(session: TableSession, table: string, grouping: Grouping, view: ViewQuery) {
    this.#session = session;
    this.#table = table;
    this.#grouping = grouping;
    this.#movingCards = new MovingCards(session, () => this.#draw());
    for (const value of grouping.values) this.#open(value, view);
    this.#draw();
  }

  readonly columns = (): readonly BoardColumn[] => this.#columns;

  readonly subscribe = this.#listeners.add;

  /** Calls back with what others have changed. The answer ends it. */
  onFlashes(callback: (flashes: readonly Flash[]) => void): () => void {
    return this.#session.onTouched(({ flashes }) => {
      const others = flashes.filter(({ mine }) => !mine);
      if (others.length > 0) callback(others);
    });
  }

  /** Follows the totals of the columns. */
  openTotals(query: SummaryQuery): ViewSummary {
    return openSummary(this.#session, this.#table, query);
  }

  get(record: string): RecordView | undefined {
    return this.#session.get(record);
  }

  /** Changes filter, order or search. The cards stay until the new ones are loaded. */
  setView(view: ViewQuery): void {
    for (const [value, rowList] of this.#rowLists) {
      const next = this.#queryOf(value, view);
      if (!deepEqual(next, rowList.view)) rowList.setView(next);
    }
  }

  showMore(value: ColumnValue): void {
    this.#limits.set(value, this.#limitOf(value) + CARDS_PER_STEP);
    void this.#read(value);
  }

  /** Reads again what could not be read. */
  retry(): void {
    for (const rowList of this.#rowLists.values())
      if (rowList.status.phase === "refused") rowList.realign();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#movingCards.close();
    for (const stop of this.#stops) stop();
    for (const rowList of this.#rowLists.values()) rowList.close();
    this.#session.close();
  }

  #open(value: ColumnValue, view: ViewQuery): void {
    const rowList = this.#session.openRowList(this.#queryOf(value, view));
    this.#rowLists.set(value, rowList);
    this.#stops.push(
      rowList.onRows((event) => {
        if (event.kind === "reset") void this.#read(value);
        else this.#changed();
      }),
      watchAtom(rowList.statusAtom, () => this.#changed()),
    );
    void this.#read(value);
  }

  #queryOf(value: ColumnValue, view: ViewQuery): ViewQuery {
    return { ...view, filter: columnFilter(view.filter, this.#grouping, value) };
  }

  #limitOf(value: ColumnValue): number {
    return this.#limits.get(value) ?? CARDS_PER_STEP;
  }

  async #read(value: ColumnValue): Promise<void> {
    const rowList = this.#rowLists.get(value);
    const limit = this.#limitOf(value);
    rowList?.setVisible(0, limit);
    const read = await rowList?.getRows(0, limit).catch(() => null);
    if (!read || this.#isClosed) return;
    this.#rows.set(
      value,
      read.rows.map(({ id }) => id),
    );
    for (const { id, values } of read.rows) {
      if (columnOf(this.#grouping, values) === value) this.#movingCards.resolve(id);
    }
    this.#draw();
  }

  #changed(): void {
    this.#draw();
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      for (const rowList of this.#rowLists.values()) {
        const { phase, waiting, displaced } = rowList.status;
        const isDue = phase === "ready" && (waiting > 0 || displaced > 0);
        if (isDue && rowList.isAligning) this.#changed();
        else if (isDue) rowList.realign();
      }
    }, REALIGN_DELAY_MS);
  }

  #draw(): void {
    const { cards, misplaced } = placeCards(
      this.#sources(),
      (id) => this.#session.get(id),
      ({ values }) => columnOf(this.#grouping, values),
    );
    for (const id of misplaced) this.#movingCards.add(id);
    this.#columns = [...this.#rowLists].map(([value, { status }]) => {
      const shown = cards.get(value) ?? [];
      const stored = shown.filter(({ pending }) => pending !== "draft").length;
      const total = Math.max(status.total, stored);
      return {
        value,
        cards: shown,
        total,
        totalExact: status.totalExact,
        loading: !this.#rows.has(value),
        refusal: status.refusal,
        hasMore: total > stored,
      };
    });
    this.#listeners.emit();
  }

  #sources(): CardSource[] {
    const rowLists = [...this.#rowLists].map(([column, { created }]) => {
      const isDraft = ({ pending }: RecordView) => pending === "draft";
      const sent = created.filter((view) => !isDraft(view));
      // A draft is at the end of its column, next to the button for new records.
      const drafts = created.filter(isDraft).map(({ id }) => id);
      const ids = [...sent.map(({ id }) => id), ...(this.#rows.get(column) ?? []), ...drafts];
      return { column, ids };
    });
    return [...rowLists, { ids: this.#movingCards.ids }];
  }
}

/** Records of a row list, or those moving between two of them. */
interface CardSource {
  /** The column of the row list; absent for moving cards. */
  column?: ColumnValue;
  ids: readonly string[];
}

interface PlacedCards {
  /** The cards of each column. Cards from other row lists come first until the row list has loaded them. */
  cards: ReadonlyMap<ColumnValue, readonly RecordView[]>;
  /** Cards shown in another column than that of their row list. */
  misplaced: readonly string[];
}

/** Puts every record into its present column once, whichever row list it came from. */
export function placeCards(
  sources: readonly CardSource[],
  get: (id: string) => RecordView | undefined,
  columnOf: (view: RecordView) => ColumnValue,
): PlacedCards {
  const own = new Map<ColumnValue, RecordView[]>();
  const arrived = new Map<ColumnValue, RecordView[]>();
  const seen = new Set<string>();
  const misplaced: string[] = [];
  for (const { column, ids } of sources) {
    for (const id of ids) {
      const view = get(id);
      if (!view || view.mark === "deleted" || seen.has(id)) continue;
      seen.add(id);
      const now = columnOf(view);
      if (now !== column) misplaced.push(id);
      const into = now === column ? own : arrived;
      const list = into.get(now);
      if (list) list.push(view);
      else into.set(now, [view]);
    }
  }
  const columns = new Set([...own.keys(), ...arrived.keys()]);
  const cards = new Map(
    [...columns].map((value) => [
      value,
      [...(arrived.get(value) ?? []), ...(own.get(value) ?? [])],
    ]),
  );
  return { cards, misplaced };
}
