import type { CellPosition } from "ag-grid-community";
import { Listeners } from "../../../../../shared/listeners.ts";
import { resolveField } from "../../../../../shared/model/former-names.ts";
import { setPending } from "../../../transport/rest/pending-work.ts";
import type { GridController } from "../grid-controller.ts";
import { positionOf, rowCount, rowOf } from "../range/row-map.ts";
import {
  currentId,
  focusExtra,
  focusRecord,
  hasFocus,
  hasLeftView,
  nodeAt,
} from "./cursor-focus.ts";
import { isInEditor, ReachedInput, swallow } from "./key-targets.ts";
import { followFocus } from "./pointer-range.ts";
import {
  type Cursor,
  insertedText,
  isInTextInput,
  isQueued,
  type QueuedInput,
  queuedKey,
  queuedPaste,
  replay,
  textOf,
} from "./queued-input.ts";
import { storeUndelivered } from "./store-undelivered.ts";

/** Interval between attempts to focus the cursor's cell. */
const POLL_MS = 8;
/** After this time a cell is assumed not to appear, and the text typed for it is shown to the user. */
const WAIT_MAX_MS = 60_000;
/** Without a key for so long, the user has stopped typing. It is counted in steps, so that a page that was blocked for a while counts one. */
const TYPING_PAUSE_MS = 1_000;
const TYPING_PAUSE_STEPS = 5;

/**
 * Delivers each key to the record it was meant for. Rows are drawn some time after the command that leads to them (a new
 * record, the last row, a new order, another model). Until then the browser's focus is in the old cell or nowhere, so keys
 * are queued from the command on, and replayed when the cell has the focus.
 */
export class KeyQueue {
  #grid: GridController | null = null;
  #cursor: Cursor | null = null;
  /** Whether the user works in the rows: the focus came there and has not left. */
  #isInGrid = false;
  /** The index of the focus when the cursor was read. */
  #extraIndex = -1;
  /** Whether the grid has been given an input and the cursor does not know yet where it led. */
  #isCursorStale = false;
  #inputs: QueuedInput[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #discardAt = 0;
  #typing: ReturnType<typeof setTimeout> | null = null;
  readonly #listeners = new Listeners();
  readonly #reached = new ReachedInput();

  /** Listens to the page for as long as the screen is there; the grid under it may be another one meanwhile. */
  listen(): () => void {
    const listeners: [string, (event: never) => void][] = [
      ["keydown", (event: KeyboardEvent) => this.#onKey(event)],
      ["paste", (event: ClipboardEvent) => this.#onPaste(event)],
      ["pointerdown", (event: PointerEvent) => this.#onPointer(event)],
      // What the pointer would do to focus and editors waits as well: a click ends the editor of another cell.
      ...["mousedown", "click", "dblclick"].map((name): [string, (event: never) => void] => [
        name,
        (event: MouseEvent) => this.#inputs.some(({ kind }) => kind === "go") && swallow(event),
      ]),
      ["focusin", ({ target }: FocusEvent) => this.#onFocus(target)],
    ];
    for (const [name, listener] of listeners) {
      window.addEventListener(name, listener as EventListener, true);
    }
    return () => {
      this.#stop();
      this.#stopTyping();
      for (const [name, listener] of listeners) {
        window.removeEventListener(name, listener as EventListener, true);
      }
    };
  }

  /** Delivers to this grid from now on. The cursor stays where it was in the previous one. */
  connect(grid: GridController): () => void {
    this.#grid = grid;
    const onFocused = () => this.syncCursor();
    grid.api.addEventListener("cellFocused", onFocused);
    if (this.#isInGrid && this.#cursor) {
      this.#followColumn(grid, this.#cursor);
      this.#wait();
    }
    return () => {
      if (this.#grid === grid) this.#grid = null;
    };
  }

  /**
   * The field of the cursor may have another name by the model that the grid is drawn with, or no column any more. Then the cursor goes to the
   * first one, without what was typed for the other, which is listed.
   */
  #followColumn({ table, columns: [first], columns }: GridController, cursor: Cursor): void {
    const field = resolveField(table, cursor.field)?.name ?? cursor.field;
    const hasColumn = columns.includes(field);
    if (!hasColumn && this.#timer) this.#discardInputs();
    this.#setCursor({ ...cursor, field: hasColumn ? field : (first ?? field) });
  }

  #setCursor(cursor: Cursor): void {
    this.#cursor = cursor;
    const { record } = cursor;
    this.#grid?.rowList.setCurrent(record && currentId(this.#grid, record), true);
  }

  /** Moves the cursor to a cell by a command. Whatever is typed from now on is meant for this cell. */
  moveTo(cursor: Cursor): void {
    this.#setCursor(cursor);
    this.#isInGrid = true;
    if (!this.#isReady()) this.#wait();
  }

  /** Whether keys come one after the other. While they do, the user knows the rows and columns as they are, and does not look up. */
  readonly isTyping = (): boolean => this.#typing !== null;

  /** Calls back when the user begins or stops typing. */
  readonly subscribe = this.#listeners.add;

  #setTyping(): void {
    const wasTyping = this.isTyping();
    if (this.#typing) clearTimeout(this.#typing);
    this.#awaitPause(TYPING_PAUSE_STEPS);
    if (!wasTyping) this.#notify();
  }

  #awaitPause(steps: number): void {
    this.#typing = setTimeout(() => {
      if (steps > 1) this.#awaitPause(steps - 1);
      else this.#stopTyping();
    }, TYPING_PAUSE_MS / TYPING_PAUSE_STEPS);
  }

  #stopTyping(): void {
    if (!this.#typing) return;
    clearTimeout(this.#typing);
    this.#typing = null;
    this.#notify();
  }

  #notify(): void {
    this.#listeners.emit();
  }

  /** Whether the user is in the rows, also while these are drawn and the focus is nowhere. */
  get isInGrid(): boolean {
    return this.#isInGrid;
  }

  /** The heading or the row for new records that has the focus. */
  get extra(): Cursor["extra"] {
    return this.#cursor?.extra;
  }

  /** Replays these inputs in the cell that a command has moved the cursor to, before those already queued. */
  playThere(...inputs: QueuedInput[]): void {
    if (!this.#cursor?.record) return;
    this.#inputs.unshift(...inputs);
    this.#wait();
  }

  /** Reads the position of the grid's focus. Call it before rows move. */
  syncCursor(): void {
    const grid = this.#grid;
    if (!grid || this.#timer) return;
    const at = grid.api.getFocusedCell();
    if (!at) return;
    const node = nodeAt(grid, at);
    const extra = node?.data || at.rowPinned === "top" ? undefined : this.#extraAt(grid, at);
    const column = at.column.getColId();
    // A click on a heading or a checkbox focuses a column that is no field.
    const field = grid.fields.has(column) ? column : (this.#cursor?.field ?? grid.columns[0]);
    if (field === undefined) return;
    const row = rowOf(grid, at);
    this.#setCursor({ record: node?.data?.id ?? null, row, field, ...(extra && { extra }) });
    this.#extraIndex = at.rowIndex;
  }

  /** Extra rows are drawn anew later than they move: as long as the focus has not moved, it is on the same one. */
  #extraAt({ groups }: GridController, { rowIndex }: CellPosition): Cursor["extra"] {
    const known = this.extra;
    if (known && rowIndex === this.#extraIndex && groups.indexOf(known) >= 0) return known;
    const row = groups.at(rowIndex);
    return row && { kind: row.kind, key: row.key };
  }

  #onKey(event: KeyboardEvent): void {
    if (event.isTrusted && event.key.length > 1) this.#reached.forget();
    if (!event.isTrusted || !this.#isInGrid || !isQueued(event)) return;
    this.#setTyping();
    this.#updateCursor();
    if (!this.#timer && this.#isReady()) this.#updateCursorSoon();
    else this.#enqueue(event, queuedKey(event));
  }

  /** Where an input leads is known once the grid has handled it: in the next task, or when the next input arrives. */
  #updateCursorSoon(): void {
    this.#isCursorStale = true;
    this.#publish();
    setTimeout(() => this.#updateCursor(), 0);
  }

  #updateCursor(): void {
    if (this.#isCursorStale || this.#hasLeft()) this.syncCursor();
    this.#isCursorStale = false;
    this.#publish();
  }

  /** How many inputs are not handled yet; one while the focus is on its way to the cursor's cell. */
  #publish(): void {
    const isBusy = this.#timer !== null || this.#isCursorStale;
    setPending("keys", Math.max(this.#inputs.length, isBusy ? 1 : 0));
  }

  #hasLeft(): boolean {
    return this.#grid !== null && this.#cursor !== null && hasLeftView(this.#grid, this.#cursor);
  }

  #onPaste(event: ClipboardEvent): void {
    if (!event.isTrusted || !this.#isInGrid || !event.clipboardData) return;
    this.#setTyping();
    this.#updateCursor();
    if (!this.#timer && this.#isReady()) return;
    this.#enqueue(event, queuedPaste(event.clipboardData));
  }

  #enqueue(event: Event, input: QueuedInput): void {
    swallow(event);
    this.#inputs.push(input);
    this.#wait();
  }

  #onPointer(event: PointerEvent): void {
    const { target } = event;
    this.#reached.forget();
    const cell = target instanceof Element ? target.closest(".ag-cell") : null;
    const isGridCell = cell !== null && this.#grid?.host.contains(cell) === true;
    if (isGridCell || isInEditor(target)) {
      this.#isInGrid = true;
      const clicked = this.#timer && cell && !isInEditor(target) ? this.#cursorAt(cell) : null;
      if (clicked) this.#enqueue(event, { kind: "go", cursor: clicked });
      else this.#updateCursorSoon();
    } else this.#leave();
  }

  /** What a cell on the screen shows. */
  #cursorAt(cell: Element): Cursor | null {
    const shown = this.#grid?.cells.showing(cell);
    return shown && shown.record !== null
      ? { record: shown.record, row: 0, field: shown.field }
      : null;
  }

  #onFocus(target: EventTarget | null): void {
    // Rows that are drawn lose the focus as well: only where keys are taken has the user gone on purpose.
    const isReached = this.#reached.reach(target, this.#grid?.host);
    if (this.#timer && !isReached) return;
    const cell = target instanceof Element ? target.closest(".ag-cell, .ag-full-width-row") : null;
    const isGridCell = cell !== null && this.#grid?.host.contains(cell) === true;
    if (isGridCell) {
      if (this.#reached.giveBack()) return;
      this.#isInGrid = true;
      if (cell !== target) this.#goToRow(cell);
    } else if (!isInEditor(target) && !this.#grid?.editors.isOpen) this.#leave();
  }

  /** The focus is on something within a cell, such as a checkbox, which the grid does not notice. */
  #goToRow(cell: Element): void {
    const record = cell.closest("[row-id]")?.getAttribute("row-id");
    const field = this.#cursor?.field ?? this.#grid?.columns[0];
    if (record && field !== undefined && !isInEditor(document.activeElement))
      this.#setCursor({ record, row: 0, field });
  }

  #leave(): void {
    if (this.#timer) this.#discardInputs();
    this.#isInGrid = false;
    this.#stopTyping();
    this.#grid?.rowList.setCurrent(null);
  }

  /** Whether the next key would reach the cell that it is meant for. */
  #isReady(): boolean {
    const [grid, cursor] = [this.#grid, this.#cursor];
    return !cursor || (grid !== null && hasFocus(grid, cursor));
  }

  #wait(): void {
    this.#discardAt = performance.now() + WAIT_MAX_MS;
    this.#timer ??= setTimeout(() => this.#poll(), 0);
    this.#publish();
  }

  #poll(): void {
    this.#focus();
    const isReady = this.#isReady();
    if (isReady && this.#inputs.length === 0) this.#stop();
    else if (performance.now() > this.#discardAt || this.#hasLeft()) this.#discardInputs();
    else {
      if (isReady) this.#replayNext();
      // An editor is drawn after the key that opens it: the next key finds it one task later.
      this.#timer = setTimeout(() => this.#poll(), isReady ? 0 : POLL_MS);
    }
  }

  /** Replays one input, or all those that are text for the same input element. */
  #replayNext(): void {
    this.#discardAt = performance.now() + WAIT_MAX_MS;
    this.#setTyping();
    do this.#replay(this.#inputs.shift());
    while (this.#isReady() && isInTextInput() && this.#hasText());
  }

  #hasText(): boolean {
    const [next] = this.#inputs;
    return next !== undefined && insertedText(next) !== null;
  }

  #replay(input: QueuedInput | undefined): void {
    if (!input) return;
    if (input.kind === "go") {
      this.#grid?.api.stopEditing();
      this.#setCursor(input.cursor);
      return;
    }
    if (this.#grid && !this.#grid.editors.isOpen) followFocus(this.#grid);
    const before = this.#cursor;
    replay(input);
    // A command of our own has moved the cursor by itself.
    if (this.#cursor !== before) return;
    const timer = this.#timer;
    this.#timer = null;
    this.syncCursor();
    this.#timer = timer;
  }

  /** Brings the focus to the cursor's cell, as far as it is drawn. */
  #focus(): void {
    const [grid, cursor] = [this.#grid, this.#cursor];
    if (!grid || !cursor || this.#isReady()) return;
    // The grid may have drawn the cell once more, and taken the focus out of its editor.
    if (grid.editors.isOpen) grid.editors.current()?.focus();
    if (grid.editors.isOpen) return;
    if (cursor.extra) focusExtra(grid, cursor.extra, cursor.field);
    else if (cursor.record === null) {
      // The number of rows may have been an estimate, and the row beyond the last one.
      const row = Math.min(cursor.row, rowCount(grid) - 1);
      const { rowIndex, pinned } = positionOf(grid, row);
      const record = nodeAt(grid, { rowIndex, rowPinned: pinned })?.data;
      if (!record) return;
      this.#setCursor({ ...cursor, record: record.id });
    }
    if (this.#cursor?.record) focusRecord(grid, this.#cursor.record, cursor.field);
  }

  #discardInputs(): void {
    const text = textOf(this.#inputs);
    this.#stop();
    if (text !== "") storeUndelivered(text, this.#grid, this.#cursor);
  }

  #stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#inputs = [];
    this.#publish();
  }
}
