import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import { usesClock } from "../../../../shared/filter/bind-filter.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { WireChange } from "../../../../shared/protocol/feed.ts";
import type { RecordView } from "../../state/record-view.ts";
import type { WindowStatus } from "../../state/window-status.ts";
import { closed } from "../closed.ts";
import { PINNED_MAX_RECORDS } from "./created-rows.ts";
import type { RecordWindow, RowsEvent, ViewQuery, WindowRows } from "./record-window.ts";
import { type Alignment, type Loaded, RowLoader } from "./row-loader.ts";
import { RowMarks } from "./row-marks.ts";
import { ShownRows } from "./shown-rows.ts";
import type { Touched } from "./table-session.ts";
import { type Span, ViewAligner } from "./view-aligner.ts";
import type { WindowDeps } from "./window-deps.ts";
import { WindowProbe } from "./window-probe.ts";

/** A view with a time-dependent filter is evaluated again this often. */
const CLOCK_EVERY_MS = 30_000;

/** Keeps the rows of one view current: see record-window.ts. Rules C25-C30. */
export class ViewWindow implements RecordWindow {
  readonly statusAtom;
  readonly #deps: WindowDeps;
  readonly #shown: ShownRows;
  readonly #loader: RowLoader;
  readonly #probe: WindowProbe;
  readonly #marks: RowMarks;
  readonly #aligner: ViewAligner;
  readonly #onClose: () => void;
  /** The view that was asked for last; the rows shown are of the alignment's until its own are there. */
  #view: ViewQuery;
  #stopClock: () => void = () => {};
  /** Why the rows are being read, or were last: their user asked for it, all are to be renewed, or some are displaced. */
  #reason: "asked" | "renewed" | "displaced" = "asked";
  #isClosed = false;
  #isHeld = false;

  constructor(deps: WindowDeps, view: ViewQuery, onClose: () => void) {
    this.#deps = deps;
    this.#view = view;
    this.#onClose = onClose;
    this.#shown = new ShownRows(deps, view);
    this.statusAtom = this.#shown.state.statusAtom;
    this.#loader = new RowLoader(deps);
    this.#probe = new WindowProbe(deps, this.#shown, (id, matches) =>
      this.#marks.set(id, matches ? null : "gone"),
    );
    this.#marks = new RowMarks(this.#shown, this.#probe, deps.view);
    this.#aligner = new ViewAligner(this.#shown, this.#loader, {
      onAligned: (next, loaded, asked) => {
        if (loaded && this.#mustStay(next)) this.#swapInPlace(next, loaded, asked);
        else if (this.#isHeld && this.#reason === "displaced")
          this.#shown.release(next.order.ids());
        else this.#swap(next, loaded);
      },
      onFailed: (error) => this.#fail(error),
    });
    this.realign();
    this.#stopClock = deps.clock.after(CLOCK_EVERY_MS, () => this.#reevaluateByClock());
  }

  /** Time has passed: rows may have left the view, and others may have come into it, without any change. */
  #reevaluateByClock(): void {
    const { view, order } = this.#shown.alignment;
    if (view.filter && usesClock(view.filter)) {
      this.#marks.evaluate([...order.ids()]);
      this.#probe.recount();
      this.#shown.count();
      this.#shown.state.emitRows([]);
    }
    this.#stopClock = this.#deps.clock.after(CLOCK_EVERY_MS, () => this.#reevaluateByClock());
  }

  get view(): ViewQuery {
    return this.#view;
  }

  get shownView(): ViewQuery {
    return this.#shown.alignment.view;
  }

  get status(): WindowStatus {
    return this.#shown.state.status;
  }

  get created(): readonly RecordView[] {
    return this.#shown.created.records;
  }

  get(id: string): RecordView | undefined {
    return this.#marks.get(id);
  }

  at(index: number): RecordView | undefined {
    const id = this.#shown.alignment.order.at(index);
    return id === undefined ? undefined : this.get(id);
  }

  heldRows(start: number, end: number): number[] {
    return this.#shown.alignment.order.held(start, end);
  }

  indexOf(id: string): number {
    return this.#shown.alignment.order.indexOf(id);
  }

  belongs(id: string): boolean | null {
    const record = this.#deps.view(id);
    if (!record || record.mark === "deleted") return false;
    return this.#shown.alignment.evaluator.matches(record);
  }

  async getRows(start: number, end: number): Promise<WindowRows> {
    await this.#aligner.whenIdle();
    if (this.#isClosed) throw closed("view");
    const { alignment } = this.#shown;
    const { order } = alignment;
    order.use(start, end);
    for (;;) {
      const until = Math.min(end, this.status.rowCount);
      const missing = order.missing(start, until);
      if (!missing) break;
      const loaded = await this.#loader.load(alignment, missing.start, missing.end);
      if (this.#isClosed) throw closed("view");
      if (alignment !== this.#shown.alignment) return this.getRows(start, end);
      this.#applyPage(loaded);
      if (!loaded || order.missing(missing.start, missing.end)) break;
    }
    this.#shown.evict();
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

  /** Evaluates rows that are newer than the page, among them `added` ones that it may not count, and takes its counts. */
  #applyPage(loaded: Loaded | null, added = 0): void {
    if (!loaded) return;
    const { page, placed } = loaded;
    this.#marks.evaluate(this.#shown.newerThan(page.seq, placed));
    if (page.seq !== this.#deps.position()) this.#probe.recount();
    this.#shown.applyCounts(loaded, added);
  }

  setView(view: ViewQuery): void {
    this.#view = view;
    this.realign();
  }

  realign({ isAsked = true } = {}): void {
    this.#reason = isAsked ? "asked" : "displaced";
    if (this.status.phase === "refused") {
      this.#shown.state.update({ phase: "loading", refusal: null });
    }
    this.#aligner.align(this.#view);
  }

  get isAligning(): boolean {
    return this.#aligner.isRunning;
  }

  /**
   * Reads the visible rows anew and only then lets go of the old ones. Resolves when they are there. Under a user who is at work in them rows
   * neither move, nor come or go: those that belong elsewhere by now, or nowhere, are marked.
   */
  reload(): Promise<void> {
    if (!this.isAligning || this.#reason !== "asked") this.#reason = "renewed";
    this.#shown.state.update({ phase: "resyncing", refusal: null });
    return this.#aligner.align(this.#view);
  }

  /** Whether the rows are read anew without their user asking for it, and these are at work in them. */
  #mustStay(next: Alignment): boolean {
    const { order, view } = this.#shown.alignment;
    const isAtWork = this.#reason === "renewed" && this.#shown.isInUse && order.size > 0;
    return isAtWork && deepEqual(view, next.view);
  }

  #swapInPlace(next: Alignment, { page }: Loaded, asked: Span): void {
    const mustRead = this.#shown.replaceInPlace(next, asked);
    this.#marks.evaluate(this.#shown.upToDate(next.order.ids()));
    const { total, totalExact } = page;
    this.#shown.state.update({ total, totalExact, phase: "ready" });
    if (page.seq !== this.#deps.position()) this.#probe.recount();
    if (next.waiting.hasUnknown) this.#probe.request();
    this.#shown.count();
    if (mustRead) this.#shown.state.reset();
    else this.#shown.state.emitRows([]);
  }

  #swap(next: Alignment, loaded: Loaded | null): void {
    const stored = this.#shown.replace(next, loaded?.page.total ?? 0);
    this.#applyPage(loaded, stored.length);
    this.#marks.evaluate([...this.#shown.edited.ids, ...stored]);
    if (next.waiting.hasUnknown) this.#probe.request();
    this.#shown.count();
    this.#shown.state.reset();
  }

  #fail(error: unknown): void {
    if (!(error instanceof Refusal)) throw error;
    const empty = { rowCount: 0, total: 0, waiting: 0 };
    this.#shown.state.update({ phase: "refused", refusal: error, ...empty });
    this.#shown.state.reset();
  }

  setVisible(start: number, end: number): void {
    this.#shown.setVisible(start, end);
  }

  isCreated(record: string): boolean {
    return this.#shown.created.has(record);
  }

  rowId(record: string): string {
    return this.#shown.created.rowId(record);
  }

  setCurrent(record: string | null, isInUse = record !== null): void {
    this.#shown.current = record;
    this.#shown.isInUse = isInUse;
  }

  beginEdit(id: string): void {
    this.#shown.edited.begin(id);
  }

  endEdit(id: string): void {
    this.#shown.edited.end(id);
  }

  onRows(callback: (event: RowsEvent) => void): () => void {
    return this.#shown.state.onRows(callback);
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
    this.#shown.state.close();
    this.#shown.clear();
    this.#onClose();
  }

  /** A change of the stream, before the tick: matters here for records without a row. */
  onChanges(changes: readonly WireChange[]): void {
    const { order, waiting } = this.#shown.alignment;
    this.#aligner.onChanges(changes);
    for (const change of changes) {
      if (this.#shown.created.has(change.record) || this.#deps.isMyCreate(change.record)) {
        this.#probe.recount({ isSoon: change.kind === "insert" });
        continue;
      }
      if (order.has(change.record)) {
        this.#recountAfter(change);
        continue;
      }
      const delta = waiting.applyChange(change);
      if (delta === null) this.#probe.request();
      else if (delta !== 0) this.#marks.adjustTotal(delta);
    }
  }

  /** Rows are evaluated with the user's pending edits, so the server's count changes at another time. */
  #recountAfter({ kind, set }: WireChange): void {
    if (kind !== "update" || this.#shown.alignment.evaluator.mayAffect(Object.keys(set)))
      this.#probe.recount();
  }

  pinCreated(id: string): void {
    this.#shown.pin(id);
  }

  placeCreated(id: string, row: number | null): void {
    this.#shown.place(id, row);
  }

  renameCreated(from: string, to: string): void {
    this.#shown.rename(from, to);
  }

  /** Gives ordinary rows to new records without focus when more are above the rows than allowed. */
  #realignCreated(): void {
    if (this.#isHeld || this.#isClosed || this.isAligning) return;
    if (this.#shown.unoccupied > PINNED_MAX_RECORDS) this.realign({ isAsked: false });
  }

  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (isHeld || this.#isClosed) return;
    if (this.#shown.unpinGone()) this.#shown.state.emitRows([]);
    this.#realignCreated();
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Once per tick: evaluates the touched records and notifies the grid. */
  tick({ records, flashes }: Touched): void {
    this.#shown.markTouched(records, this.#isHeld);
    this.#marks.evaluate(records);
    this.#shown.count();
    this.#realignCreated();
    this.#shown.state.emitRows(flashes);
  }
}
