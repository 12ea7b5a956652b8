import type { Json } from "../../../../shared/filter/filter.ts";
import type { Author } from "../../../../shared/protocol/record.ts";
import type { RecordView } from "../../state/record-view.ts";
import { watchAtom } from "../../state/watch-atom.ts";
import type { RecordWindow } from "../../sync/window/record-window.ts";
import type { TableSession } from "../../sync/window/table-session.ts";

/** The cards of one state as they are shown now. */
export interface BoardColumn {
  state: string;
  cards: readonly RecordView[];
  total: number;
  totalExact: boolean;
  loading: boolean;
  /** More records are in this state than cards are shown. */
  hasMore: boolean;
}

/** Cards of a column at first, and with each wish for more. */
const CARDS_PER_STEP = 40;
/** After changes the windows are put in order again, at most this often. */
const SETTLE_MS = 400;
/** A card that another window has not read by then lies beyond its cards. */
const TRAVEL_MAX_MS = 5_000;
/** A changed card carries its mark this long; board.module.css agrees. */
const FLASH_MS = 1_800;

/**
 * A board over one window for each state. A card stands in the column of the state that it has now,
 * my own pending moves included, whichever window it came from; windows are brought up to date behind
 * it. A column is redrawn only with what it shows, and never empties while it is read anew.
 */
export class BoardModel {
  readonly #session: TableSession;
  readonly #stateField: string;
  readonly #windows = new Map<string, RecordWindow>();
  readonly #rows = new Map<string, readonly string[]>();
  readonly #limits = new Map<string, number>();
  /** Cards on their way from one window to another: held until the other has read them. */
  readonly #travelling = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #flashed = new Map<string, Author>();
  readonly #listeners = new Set<() => void>();
  readonly #stops: (() => void)[] = [];
  #columns: readonly BoardColumn[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isClosed = false;

  constructor(
    session: TableSession,
    { stateField, states, sort }: { stateField: string; states: string[]; sort: readonly string[] },
  ) {
    this.#session = session;
    this.#stateField = stateField;
    for (const state of states) this.#open(state, sort);
    this.#stops.push(session.onTouched(({ flashes }) => this.#flash(flashes)));
    this.#draw();
  }

  readonly columns = (): readonly BoardColumn[] => this.#columns;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Who changed a card just now, while it carries the mark of it. */
  flashedBy(record: string): Author | undefined {
    return this.#flashed.get(record);
  }

  get(record: string): RecordView | undefined {
    return this.#session.get(record);
  }

  showMore(state: string): void {
    this.#limits.set(state, (this.#limits.get(state) ?? CARDS_PER_STEP) + CARDS_PER_STEP);
    void this.#read(state);
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    for (const id of [...this.#travelling.keys()]) this.#arrived(id);
    for (const stop of this.#stops) stop();
    for (const window of this.#windows.values()) window.close();
    this.#session.close();
  }

  #open(state: string, sort: readonly string[]): void {
    const filter = { field: this.#stateField, op: "eq", value: state as Json } as const;
    const window = this.#session.openWindow({ filter, sort, search: "" });
    this.#windows.set(state, window);
    this.#stops.push(
      window.onRows((event) => {
        if (event.kind === "reset") void this.#read(state);
        else this.#changed();
      }),
      watchAtom(window.statusAtom, () => this.#changed()),
    );
    void this.#read(state);
  }

  async #read(state: string): Promise<void> {
    const window = this.#windows.get(state);
    const limit = this.#limits.get(state) ?? CARDS_PER_STEP;
    window?.setVisible(0, limit);
    const read = await window?.getRows(0, limit).catch(() => null);
    if (!read || this.#isClosed) return;
    const ids = read.rows.map(({ id }) => id);
    this.#rows.set(state, ids);
    for (const id of ids) if (this.#stateOf(id) === state) this.#arrived(id);
    this.#draw();
  }

  #stateOf(id: string): string {
    return String(this.#session.get(id)?.values[this.#stateField] ?? "");
  }

  #travels(id: string): void {
    if (this.#travelling.has(id)) return;
    this.#session.hold(id).catch(() => {});
    const timer = setTimeout(() => {
      this.#arrived(id);
      this.#draw();
    }, TRAVEL_MAX_MS);
    this.#travelling.set(id, timer);
  }

  #arrived(id: string): void {
    const timer = this.#travelling.get(id);
    if (!timer) return;
    clearTimeout(timer);
    this.#travelling.delete(id);
    this.#session.release(id);
  }

  #changed(): void {
    this.#draw();
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      for (const window of this.#windows.values()) {
        const { waiting, displaced } = window.status;
        if (waiting > 0 || displaced > 0) window.realign();
      }
    }, SETTLE_MS);
  }

  #flash(flashes: readonly { record: string; by: Author; mine: boolean }[]): void {
    for (const { record, by, mine } of flashes) {
      if (mine) continue;
      this.#flashed.set(record, by);
      setTimeout(() => {
        this.#flashed.delete(record);
        if (!this.#isClosed) this.#draw();
      }, FLASH_MS);
    }
    if (flashes.length > 0) this.#draw();
  }

  #draw(): void {
    const cards = this.#cardsByState();
    this.#columns = [...this.#windows].map(([state, { status }]) => {
      const shown = cards.get(state) ?? [];
      const total = Math.max(status.total, shown.length);
      return {
        state,
        cards: shown,
        total,
        totalExact: status.totalExact,
        loading: !this.#rows.has(state),
        hasMore: total > shown.length,
      };
    });
    for (const listener of this.#listeners) listener();
  }

  /** Cards that came from another column stand first until the window knows their place. */
  #cardsByState(): Map<string, RecordView[]> {
    const own = new Map<string, RecordView[]>();
    const arrived = new Map<string, RecordView[]>();
    const seen = new Set<string>();
    const sources = [...this.#rows, ["", [...this.#travelling.keys()]] as const];
    for (const [state, ids] of sources) {
      const created = (this.#windows.get(state)?.created ?? []).map(({ id }) => id);
      for (const id of [...created, ...ids]) {
        const view = this.#session.get(id);
        if (!view || view.mark === "deleted" || seen.has(id)) continue;
        seen.add(id);
        const now = this.#stateOf(id);
        if (now !== state) this.#travels(id);
        const into = now === state ? own : arrived;
        const list = into.get(now);
        if (list) list.push(view);
        else into.set(now, [view]);
      }
    }
    const states = new Set([...own.keys(), ...arrived.keys()]);
    return new Map([...states].map((s) => [s, [...(arrived.get(s) ?? []), ...(own.get(s) ?? [])]]));
  }
}
