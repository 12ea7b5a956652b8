import { usesClock } from "../../../../shared/filter/bind-filter.ts";
import type { WireChange } from "../../../../shared/protocol/changes.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { AtomStore } from "../../state/atom-store.ts";
import type { RecordView } from "../../state/record-view.ts";
import type { WindowStatus } from "../../state/window-status.ts";
import type { Clock } from "../clock.ts";
import { closed } from "../closed.ts";
import type { CoreContext } from "../core-context.ts";
import type { PageReader } from "../records/page-reader.ts";
import type { RecordCache } from "../records/record-cache.ts";
import { countRows } from "./count-rows.ts";
import { CreatedRows, PINNED_MAX_RECORDS } from "./created-rows.ts";
import { isAbsent } from "./evaluate-mark.ts";
import { evictRows } from "./evict-rows.ts";
import type { RecordWindow, RowsEvent, ViewQuery, WindowRows } from "./record-window.ts";
import { type Alignment, type Loaded, RowLoader } from "./row-loader.ts";
import { RowMarks } from "./row-marks.ts";
import { RowOrder, RUN_ROWS } from "./row-order.ts";
import { RowsInEdit } from "./rows-in-edit.ts";
import type { Touched } from "./table-session.ts";
import { ViewAligner } from "./view-aligner.ts";
import { ViewEvaluator } from "./view-evaluator.ts";
import { WaitingRecords } from "./waiting-records.ts";
import { WindowProbe } from "./window-probe.ts";
import { WindowState } from "./window-state.ts";

export interface WindowDeps {
  table: string;
  clock: Clock;
  store: AtomStore;
  cache: RecordCache;
  reader: PageReader;
  context: () => CoreContext;
  serverNow(): number;
  /** How far the table has been followed. */
  position(): number | undefined;
  view(id: string): RecordView | undefined;
  /** Whether the record is one that I am creating. */
  isMyCreate(id: string): boolean;
  onClose(window: ViewWindow): void;
}

/** A view with a time-dependent filter is evaluated again this often. */
const CLOCK_EVERY_MS = 30_000;

/** The rows of one view: see record-window.ts. Rules C25-C30. */
export class ViewWindow implements RecordWindow {
  readonly statusAtom;
  readonly #state: WindowState;
  readonly #deps: WindowDeps;
  readonly #loader: RowLoader;
  readonly #probe: WindowProbe;
  readonly #marks: RowMarks;
  readonly #aligner: ViewAligner;
  readonly #edited: RowsInEdit;
  readonly #created: CreatedRows;
  #alignment: Alignment;
  /** The view that was asked for last; the rows shown are of the alignment's until its own are there. */
  #view: ViewQuery;
  #visible = { start: 0, end: RUN_ROWS };
  #current: string | null = null;
  #stopClock: () => void = () => {};
  #isClosed = false;

  constructor(deps: WindowDeps, view: ViewQuery) {
    this.#deps = deps;
    this.#view = view;
    this.#edited = new RowsInEdit(deps.cache);
    this.#created = new CreatedRows(deps);
    this.#state = new WindowState(deps.store);
    this.statusAtom = this.#state.statusAtom;
    this.#loader = new RowLoader({
      table: deps.table,
      reader: deps.reader,
      get: (id) => deps.view(id),
      retain: (id, record) => {
        deps.cache.retain(id);
        deps.cache.put(id, record);
      },
    });
    this.#probe = new WindowProbe({
      table: deps.table,
      clock: deps.clock,
      reader: deps.reader,
      alignment: () => this.#alignment,
      onTotal: (total, exact) => this.#onTotal(total, exact),
      onEvaluated: (id, matches) => this.#marks.set(id, matches ? null : "gone"),
      onWaiting: () => this.#count(),
    });
    this.#marks = new RowMarks({
      state: this.#state,
      alignment: () => this.#alignment,
      view: (id) => deps.view(id),
      requestRow: (id) => this.#probe.requestRow(id),
      recount: () => this.#probe.recount(),
    });
    this.#aligner = new ViewAligner({
      loader: this.#loader,
      begin: (next) => this.#begin(next),
      visible: () => this.#visible,
      onAligned: (next, loaded) => this.#swap(next, loaded),
      onFailed: (error) => this.#fail(error),
      release: (ids) => this.#release(ids),
    });
    this.#alignment = this.#begin(view);
    this.realign();
    this.#stopClock = deps.clock.after(CLOCK_EVERY_MS, () => this.#reevaluateByClock());
  }

  #begin(view: ViewQuery): Alignment {
    const { table, context, serverNow } = this.#deps;
    const evaluator = new ViewEvaluator(table, view, context, serverNow);
    const waiting = new WaitingRecords(evaluator);
    const unpinned = this.#created.confirmedIds.filter((id) => !this.#isOccupied(id));
    const isPinned = (id: string) => this.#created.has(id) && !unpinned.includes(id);
    return { view, evaluator, order: new RowOrder(), waiting, unpinned, isPinned };
  }

  /** Time has passed: rows may have left the view, and others may have come into it, without any change. */
  #reevaluateByClock(): void {
    const { view, order } = this.#alignment;
    if (view.filter && usesClock(view.filter)) {
      this.#marks.evaluate([...order.ids()]);
      this.#probe.recount();
      this.#state.emitRows([]);
    }
    this.#stopClock = this.#deps.clock.after(CLOCK_EVERY_MS, () => this.#reevaluateByClock());
  }

  #onTotal(total: number, exact: boolean): void {
    this.#state.update({ total, totalExact: exact });
    const { view, order, waiting } = this.#alignment;
    if (!exact || !view.filter || !usesClock(view.filter)) return;
    const absent = [...order.marks.values()].filter(isAbsent).length;
    const known =
      this.status.rowCount - absent + this.#created.confirmedIds.length + waiting.listed;
    waiting.setUnlisted(total - known);
    this.#count();
  }

  #isOccupied(id: string): boolean {
    return id === this.#current || this.#edited.has(id);
  }

  get view(): ViewQuery {
    return this.#view;
  }

  get shownView(): ViewQuery {
    return this.#alignment.view;
  }

  get status(): WindowStatus {
    return this.#state.status;
  }

  get created(): readonly RecordView[] {
    return this.#created.records;
  }

  get(id: string): RecordView | undefined {
    return this.#marks.get(id);
  }

  at(index: number): RecordView | undefined {
    const id = this.#alignment.order.at(index);
    return id === undefined ? undefined : this.get(id);
  }

  indexOf(id: string): number {
    return this.#alignment.order.indexOf(id);
  }

  belongs(id: string): boolean | null {
    const record = this.#deps.view(id);
    if (!record || record.mark === "deleted") return false;
    return this.#alignment.evaluator.matches(record);
  }

  async getRows(start: number, end: number): Promise<WindowRows> {
    await this.#aligner.whenIdle();
    if (this.#isClosed) throw closed("view");
    const alignment = this.#alignment;
    const { order } = alignment;
    order.use(start, end);
    for (;;) {
      const until = Math.min(end, this.status.rowCount);
      const missing = order.missing(start, until);
      if (!missing) break;
      const loaded = await this.#loader.load(alignment, missing.start, missing.end);
      if (this.#isClosed) throw closed("view");
      if (alignment !== this.#alignment) return this.getRows(start, end);
      this.#applyPage(loaded);
      if (!loaded || order.missing(missing.start, missing.end)) break;
    }
    const isEvictable = (id: string) =>
      !this.#edited.has(id) && hasNoPendingEdit(this.#deps.view(id));
    this.#release(evictRows(order, this.#visible, isEvictable));
    return this.#rows(start, end);
  }

  #rows(start: number, end: number): WindowRows {
    const rows: RecordView[] = [];
    for (let index = start; index < end; index++) {
      const row = this.at(index);
      if (!row) break;
      rows.push(row);
    }
    return { rows, rowCount: this.status.rowCount };
  }

  /** Applies what a page says about the whole view, and evaluates rows that are newer than the page. */
  #applyPage(loaded: Loaded | null): void {
    if (!loaded) return;
    const { page, placed } = loaded;
    const isNewer = (id: string) =>
      (this.#deps.cache.get(id)?.asOf ?? 0) > page.seq || !hasNoPendingEdit(this.#deps.view(id));
    this.#marks.evaluate(placed.filter(isNewer));
    const pinnedCount = this.#alignment.waiting.count + this.#created.confirmedIds.length;
    const rowCount = countRows(this.#alignment, loaded, pinnedCount);
    if (page.seq !== this.#deps.position()) this.#probe.recount();
    this.#state.update({
      rowCount,
      total: page.total,
      totalExact: page.totalExact,
      phase: "ready",
    });
  }

  setView(view: ViewQuery): void {
    this.#view = view;
    this.realign();
  }

  realign(): void {
    this.#aligner.align(this.#view);
  }

  /** Reads the visible rows anew and only then lets go of the old ones. Resolves when they are there. */
  reload(): Promise<void> {
    this.#state.update({ phase: "resyncing" });
    return this.#aligner.align(this.#view);
  }

  #swap(next: Alignment, loaded: Loaded | null): void {
    const before = this.#alignment.order;
    this.#edited.carryOver(before, next.order);
    this.#alignment = next;
    this.#created.unpin(next.unpinned);
    this.#release(before.ids());
    this.#applyPage(loaded);
    this.#marks.evaluate(this.#edited.ids);
    if (next.waiting.hasUnknown) this.#probe.request();
    this.#count();
    this.#state.reset();
  }

  #fail(error: unknown): void {
    if (!(error instanceof Refusal)) throw error;
    this.#state.update({ phase: "refused", rowCount: 0, total: 0, waiting: 0 });
    this.#state.reset();
  }

  setVisible(start: number, end: number): void {
    this.#visible = { start, end };
    this.#alignment.order.use(start, end);
  }

  rowId(record: string): string {
    return this.#created.rowId(record);
  }

  setCurrent(record: string | null): void {
    this.#current = record;
  }

  beginEdit(id: string): void {
    this.#edited.begin(id);
  }

  endEdit(id: string): void {
    this.#edited.end(id);
  }

  onRows(callback: (event: RowsEvent) => void): () => void {
    return this.#state.onRows(callback);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopClock();
    this.#aligner.stop();
    this.#probe.stop();
    this.#state.close();
    this.#release(this.#alignment.order.ids());
    this.#created.unpin(this.#created.ids);
    this.#deps.onClose(this);
  }

  #release(ids: Iterable<string>): void {
    for (const id of ids) this.#deps.cache.release(id);
  }

  /** A change of the stream, before the tick: matters here for records without a row. */
  onChanges(changes: readonly WireChange[]): void {
    const { order, waiting } = this.#alignment;
    this.#aligner.onChanges(changes);
    for (const change of changes) {
      if (order.has(change.record)) {
        this.#recountAfter(change);
        continue;
      }
      if (this.#created.has(change.record) || this.#deps.isMyCreate(change.record)) {
        this.#probe.recount();
        continue;
      }
      const delta = waiting.applyChange(change);
      if (delta === null) this.#probe.request();
      else if (delta !== 0) this.#marks.adjustTotal(delta);
    }
  }

  /** Rows are evaluated with the user's pending edits, so the server's count changes at another time. */
  #recountAfter({ kind, set }: WireChange): void {
    if (kind !== "update" || this.#alignment.evaluator.mayAffect(Object.keys(set)))
      this.#probe.recount();
  }

  /** A record that I create is shown at once, above the rows. */
  pinCreated(id: string): void {
    if (!this.#alignment.order.has(id) && this.#created.pin(id)) this.#state.mark(id);
  }

  renameCreated(from: string, to: string): void {
    this.#created.rename(from, to);
    this.#edited.rename(from, to);
  }

  /** Gives ordinary rows to new records without focus when more are above the rows than allowed. */
  #realignCreated(): void {
    const left = this.#created.confirmedIds.filter((id) => !this.#isOccupied(id));
    if (left.length > PINNED_MAX_RECORDS && !this.#aligner.isRunning) this.realign();
  }

  /** Once per tick: evaluates the touched records and notifies the grid. */
  tick({ records, flashes }: Touched): void {
    for (const id of records) {
      if (this.#created.has(id)) {
        this.#state.mark(id);
        this.#created.unpinIfGone(id);
      } else if (this.#alignment.order.has(id)) this.#state.mark(id);
    }
    this.#marks.evaluate(records);
    this.#count();
    this.#realignCreated();
    this.#state.emitRows(flashes);
  }

  #count(): void {
    const { waiting, order } = this.#alignment;
    this.#state.update({ waiting: waiting.count, displaced: order.marks.size });
  }
}

/** Without an edit of mine over it. */
function hasNoPendingEdit(view: RecordView | undefined): boolean {
  return view?.confirmed === null;
}
