import { foldCase } from "../../../../../shared/filter/fold-case.ts";
import { Listeners } from "../../../../../shared/listeners.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { readViewRows, type ViewRow } from "../../../sync/calls/read-view-rows.ts";
import { shownFields } from "../cards/card-view.ts";
import { CARD } from "../cells/live-cells.ts";
import type { GridController } from "../grid-controller.ts";
import { showCell } from "../keys/pointer-range.ts";
import { RANGE_MAX_ROWS } from "../range/read-parts.ts";
import { rowCount, rowOfRecord } from "../range/row-map.ts";
import { focusCell, focusedCell } from "../rows/grid-focus.ts";
import { closedFind, type FindState, searchedText } from "./find-state.ts";
import { cellContains, loadLabels } from "./match-cell.ts";
import { type Match, MatchList } from "./match-list.ts";

/** A search runs when the user stops typing for this long. */
const SEARCH_DELAY_MS = 200;

/**
 * Finds a text in the cells of a view. All rows are read through the server, up to a bound, with the shown fields only;
 * loaded rows count as they are shown, with pending edits, and follow every change. The others are read again by whoever goes on
 * after the last match, if the table has changed. The bar outlives the grid: another one, as after a publication, is searched for the same text.
 */
export class FindModel {
  #connected: GridController | null = null;
  #state: FindState = closedFind;
  #needle = "";
  #list: MatchList;
  #current: Match | null = null;
  #search = 0;
  #position = "";
  #timer: ReturnType<typeof setTimeout> | null = null;
  #stops: (() => void)[] = [];
  readonly #listeners = new Listeners();

  constructor() {
    this.#list = this.#newList();
  }

  /** The grid, or the last one while another is drawn in its place. */
  #grid(): GridController {
    if (!this.#connected) throw new Error("Nothing is searched before the rows are there.");
    return this.#connected;
  }

  /** Searches this grid from now on. Returns what ends that; the bar stays as it is. */
  connect(grid: GridController): () => void {
    this.#connected = grid;
    if (this.#state.isOpen) {
      this.#follow();
      const isReplacing = this.#state.isReplacing && grid.abilities.update.length > 0;
      this.#set({ isReplacing });
      this.#searchSoon();
    }
    return () => this.#leave();
  }

  readonly state = (): FindState => this.#state;

  readonly subscribe = this.#listeners.add;

  /** The text in the case in which it is compared; empty if there is none. */
  get needle(): string {
    return this.#needle;
  }

  get current(): Match | null {
    return this.#current;
  }

  /** Opens the bar, or leads back into it. Only who may edit can replace. */
  open(isReplacing = this.#state.isReplacing): void {
    if (!this.#state.isOpen) this.#follow();
    const before = searchedText(this.#state);
    const mayReplace = this.#grid().abilities.update.length > 0;
    const opened = this.#state.opened + 1;
    this.#set({ isOpen: true, isReplacing: isReplacing && mayReplace, opened });
    if (searchedText(this.#state) !== before) this.setText(this.#state.text);
  }

  #follow(): void {
    const { rowList, api, labels } = this.#grid();
    const onColumns = () => this.#searchSoon();
    api.addEventListener("displayedColumnsChanged", onColumns);
    this.#stops = [
      rowList.onRows((event) => {
        if (event.kind === "reset") this.#searchSoon();
        else this.#update(event.records);
      }),
      labels.onArrived(() => this.#paint()),
      () => !api.isDestroyed() && api.removeEventListener("displayedColumnsChanged", onColumns),
    ];
  }

  /** Ends the search and puts the focus into the current match, or back where it was. */
  close(): void {
    if (!this.#state.isOpen) return;
    const grid = this.#grid();
    const match = this.#current && {
      row: this.#list.rowOf(this.#current.record),
      field: this.#current.field,
    };
    const at = match ?? focusedCell(grid) ?? { row: 0, field: grid.columns[0] ?? "" };
    this.stop();
    if (!grid.api.isDestroyed() && rowCount(grid) > 0)
      focusCell(grid, at.row, grid.cards ? CARD : at.field);
  }

  /** Reads nothing more of the grid. */
  #leave(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#search += 1;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Ends the search and leaves the focus alone. */
  stop(): void {
    this.#leave();
    this.#needle = "";
    this.#current = null;
    this.#state = closedFind;
    this.#notify();
  }

  setText(text: string): void {
    this.#needle = foldCase(searchedText({ ...this.#state, text }));
    this.#current = null;
    this.#list = this.#newList();
    this.#search += 1;
    const phase = this.#needle === "" ? "done" : "searching";
    this.#set({ text, phase, count: 0, at: -1, isBounded: false, isReplaced: false });
    if (this.#needle !== "") this.#searchSoon();
  }

  setReplacement(replacement: string): void {
    this.#set({ replacement, isReplaced: false });
  }

  /** Something was replaced by what the bar shows. */
  noteReplaced(): void {
    this.#set({ isReplaced: true });
  }

  /** Goes to the next match, or with -1 to the previous one; after the last one to the first. */
  step(by: 1 | -1): void {
    const { all } = this.#list;
    const next = Math.max(0, this.#state.at) + by;
    if (all[next] === undefined && this.#position !== this.#positionNow()) this.#searchSoon();
    if (all.length === 0) return;
    const at = (next + all.length) % all.length;
    this.#current = all[at] ?? null;
    this.#set({ at });
    this.#show();
  }

  retry(): void {
    void this.#run();
  }

  /** How a cell is marked. */
  markOf(record: RecordView, field: string): "match" | "current" | undefined {
    if (this.#needle === "" || !this.#matches(record, field)) return undefined;
    const isCurrent = this.#current?.record === record.id && this.#current.field === field;
    return isCurrent ? "current" : "match";
  }

  #newList(): MatchList {
    return new MatchList(
      (record) => rowOfRecord(this.#grid(), record),
      () => this.columns,
    );
  }

  /** The fields that are shown, and so searched. */
  get columns(): readonly string[] {
    const { cards, columns } = this.#grid();
    return cards ? shownFields(cards).map(({ name }) => name) : columns;
  }

  #searchSoon(): void {
    if (this.#needle === "") return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), SEARCH_DELAY_MS);
  }

  async #run(): Promise<void> {
    this.#search += 1;
    const search = this.#search;
    const grid = this.#grid();
    const list = this.#newList();
    this.#position = this.#positionNow();
    this.#set({ phase: "searching" });
    let isBounded = true;
    try {
      const { table, rowList } = grid;
      const of = { fields: this.columns, max: RANGE_MAX_ROWS };
      const pages = readViewRows(table.name, rowList.view, of);
      let row = rowList.created.length;
      for await (const { rows, isLast } of pages) {
        await loadLabels(grid, this.columns, rows);
        if (search !== this.#search) return;
        for (const { id, values } of rows) {
          this.#evaluate(list, { id, values: rowList.get(id)?.values ?? values }, row);
          row += 1;
        }
        isBounded = !isLast;
      }
    } catch {
      if (search === this.#search) this.#set({ phase: "failed" });
      return;
    }
    // Rows on the screen may have left the view, or be newer than it was read.
    for (const { record } of grid.cells.all()) {
      const shown = record === null || list.has(record) ? undefined : grid.rowList.get(record);
      if (shown) this.#evaluate(list, shown, rowOfRecord(grid, shown.id));
    }
    this.#list = list;
    this.#showMatches({ phase: "done", isBounded });
  }

  #positionNow(): string {
    return JSON.stringify(this.#grid().session.position);
  }

  #update(records: ReadonlySet<string>): void {
    if (this.#needle === "" || this.#state.phase === "searching") return;
    const { rowList } = this.#grid();
    for (const id of records) {
      const shown = rowList.get(id);
      const row = rowOfRecord(this.#grid(), id);
      if (!shown || shown.mark === "deleted") this.#list.remove(id);
      else if (row >= 0 || this.#list.has(id)) this.#evaluate(this.#list, shown, row);
    }
    this.#list.reorder();
    this.#showMatches({});
  }

  #evaluate(list: MatchList, record: ViewRow, row: number): void {
    const fields = this.columns.filter((name) => this.#matches(record, name));
    list.set(record.id, row, fields);
  }

  #matches({ values }: Pick<ViewRow, "values">, name: string): boolean {
    const { fields, labels } = this.#grid();
    const field = fields.get(name);
    const labelOf = (of: typeof field & object, id: string) => labels.labelOf(of, id);
    return field !== undefined && cellContains(field, values[name], this.#needle, labelOf);
  }

  /** The current match keeps its cell; the first one is the next after the focus. */
  #showMatches(next: Partial<FindState>): void {
    const { all } = this.#list;
    const current = this.#current;
    const isFirst = current === null;
    let at = current
      ? all.findIndex(({ record, field }) => record === current.record && field === current.field)
      : -1;
    if (at < 0 && all.length > 0) {
      const from = focusedCell(this.#grid()) ?? { row: 0, column: 0 };
      at = isFirst
        ? this.#list.firstFrom(from.row, from.column)
        : Math.min(this.#state.at, all.length - 1);
      at = Math.max(0, at);
    }
    this.#current = all[at] ?? null;
    this.#set({ ...next, count: all.length, at });
    if (isFirst && this.#current) this.#show();
  }

  /** Scrolls to the current match, and once more when its row is loaded. */
  async #show(): Promise<void> {
    const current = this.#current;
    const grid = this.#grid();
    if (!current || grid.api.isDestroyed()) return;
    const column = grid.columns.indexOf(current.field);
    showCell(grid, { row: this.#list.rowOf(current.record), column });
    if (rowOfRecord(grid, current.record) >= 0) return;
    await this.load(current);
    const row = rowOfRecord(grid, current.record);
    if (this.#current === current && row >= 0 && !grid.api.isDestroyed()) {
      showCell(grid, { row, column });
    }
  }

  /** The record of a match, which is read if its row is not loaded; undefined if it is not there any more. */
  async load({ record }: Match): Promise<RecordView | undefined> {
    const { rowList } = this.#grid();
    if (rowOfRecord(this.#grid(), record) < 0) {
      const index = this.#list.rowOf(record) - rowList.created.length;
      await rowList.getRows(index, index + 1).catch(() => {});
    }
    return rowList.get(record);
  }

  #set(next: Partial<FindState>): void {
    this.#state = { ...this.#state, ...next };
    this.#notify();
  }

  #notify(): void {
    this.#paint();
    this.#listeners.emit();
  }

  #paint(): void {
    for (const cell of this.#connected?.cells.all() ?? []) cell.paintFound();
  }
}
