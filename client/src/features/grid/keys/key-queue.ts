import type { CellPosition } from "ag-grid-community";
import { Listeners } from "../../../../../shared/listeners.ts";
import { resolveField } from "../../../../../shared/model/former-names.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { COMPOSING_KEY, isComposing } from "../../../records/fields/composing-keys.ts";
import { setPending } from "../../../transport/rest/pending-work.ts";
import { toastFailure } from "../../../ui/toast.tsx";
import { isInEditor } from "../edit/editor-host.ts";
import type { GridController } from "../grid-controller.ts";
import type { ExtraPlace } from "../groups/place-headings.ts";
import {
  indexOfRecord,
  nodeAt,
  positionOf,
  recordInRow,
  rowCount,
  rowOf,
  rowOfRecord,
} from "../range/row-map.ts";
import { takeFocus } from "../rows/grid-focus.ts";
import { followFocus } from "./pointer-range.ts";

/** Interval between attempts to focus the cursor's cell. */
const POLL_MS = 8;
/** After this time a cell is assumed not to appear, and the text typed for it is shown to the user. */
const WAIT_MAX_MS = 60_000;
/** Without a key for so long, the user has stopped typing. It is counted in steps, so that a page that was blocked for a while counts one. */
const TYPING_PAUSE_MS = 1_000;
const TYPING_PAUSE_STEPS = 5;
/** The height of the input for composed text, at most. */
const INPUT_MAX_PX = 40;

/** The cell that the next key is meant for. Without a record it is a row that is still being read, or an extra row. */
export interface Cursor {
  record: string | null;
  row: number;
  field: string;
  /** The heading or the row for new records that has the focus. */
  extra?: ExtraPlace;
}

/** User input for a cell that has not appeared yet. */
export type QueuedInput =
  | { kind: "key"; init: KeyboardEventInit & { key: string } }
  | { kind: "paste"; data: readonly (readonly [type: string, text: string])[] }
  /** A cell was clicked. */
  | { kind: "go"; cursor: Cursor };

/**
 * Delivers each key to the record it was meant for. The cursor is a record and a field (`Cursor`), whatever the browser has the focus on.
 *
 * The hard part: a command (a new record, the last row, another order, another model) moves the cursor at once, but its cell is drawn some time
 * later. AG Grid knows a position, no record, and its cursor is the browser's focus: meanwhile that is in the old cell or nowhere, and the next
 * keys are on their way already.
 *
 * - **A cell that is drawn has the focus**, and keys go to it natively. Where the grid has moved the focus by itself (a click, an arrow), the
 *   cursor is read from it in the next task, or when the next key comes (`syncCursor`), and never while something waits.
 * - **Until then all that a user does waits as data** (`QueuedInput`): keys, pasted and composed text, a click on a cell. Nothing overtakes.
 * - **One input is replayed in one task** (`#replayNext`): AG Grid takes down an editor and draws the next one in later tasks, and what is written
 *   meanwhile into the one that has ended is lost. Only text for the same input goes in at once.
 * - **What an input method or a dead key composes needs an input now**: there is no key to queue. Such a key opens one (`ComposingInput`); until the
 *   text is composed, nothing is replayed and no cell takes the focus. Then it waits like the rest.
 * - **What is drawn anew does not take the keyboard away.** Where the element that had the focus is removed (a column is hidden or out of view, a row or the
 *   whole grid is drawn anew), the browser's focus falls to the body, or AG Grid gives it to a header. It is brought back to the cursor's cell once that is
 *   drawn (`#returnFocus`), and a key that comes before waits. Only who goes elsewhere by a key, the pointer or a program has left the rows (`#leave`).
 * - **Text without a place is not lost**: if the record or the column leaves the view, or the user leaves the rows, it is shown, and listed as unsaved if
 *   its record is known (`storeUndelivered`).
 *
 * Why the browser's own input does not take all text meanwhile: docs/adr/0029-local-drafts-and-typed-text.md, "Rejected".
 */
export class KeyQueue {
  #grid: GridController | null = null;
  /** The grid, or the one before while another one is being drawn in its place. */
  #lastGrid: GridController | null = null;
  #cursor: Cursor | null = null;
  /** Whether the user works in the rows: the focus came there and has not left. */
  #isInGrid = false;
  /** Whether the browser's focus was last in the grid, so that it is nowhere because the grid has removed what had it. */
  #isFocusOfGrid = false;
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
  #composing: ComposingInput | null = null;

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
      ["focusin", (event: FocusEvent) => this.#onFocus(event)],
    ];
    for (const [name, listener] of listeners) {
      window.addEventListener(name, listener as EventListener, true);
    }
    return () => {
      this.#discardInputs();
      this.#stopTyping();
      for (const [name, listener] of listeners) {
        window.removeEventListener(name, listener as EventListener, true);
      }
    };
  }

  /** Delivers to this grid from now on. The cursor stays where it was in the previous one. */
  connect(grid: GridController): () => void {
    this.#grid = grid;
    this.#lastGrid = grid;
    const onFocused = () => this.syncCursor();
    grid.api.addEventListener("cellFocused", onFocused);
    for (const drawn of [
      "modelUpdated",
      "displayedColumnsChanged",
      "virtualColumnsChanged",
    ] as const)
      grid.api.addEventListener(drawn, () => this.#returnFocus());
    if (this.#isInGrid && this.#cursor) {
      this.#followColumn(grid, this.#cursor);
      this.#wait();
    }
    return () => {
      if (this.#grid === grid) this.#grid = null;
    };
  }

  /**
   * Another grid will be drawn in place of this one, because model or rights have changed: a key that came into this one would open an editor
   * that goes with it.
   */
  readonly awaitGrid = (): void => {
    this.#updateCursor();
    this.#grid = null;
    if (this.#isInGrid) this.#wait();
  };

  /** Rows that are cards have no cursor. */
  leave(): void {
    this.#leave();
    this.#lastGrid = null;
    this.#cursor = null;
  }

  /** Other columns are shown, or in another order. */
  columnsChanged(): void {
    const [grid, cursor] = [this.#grid, this.#cursor];
    if (grid && cursor && !grid.columns.includes(cursor.field)) this.#followColumn(grid, cursor);
    this.#returnFocus();
  }

  /** Brings the focus back to the cursor's cell, if it is nowhere although the user has not left the rows. */
  #returnFocus(): void {
    if (this.#isInGrid && isNowhere() && !this.#isReady()) this.#wait();
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
    if (!event.isTrusted) return;
    if (event.target === document.body && this.#isFocusOfGrid) this.#isInGrid = true;
    if (!this.#isInGrid) return;
    // Some browsers name the letter of such a key.
    if (isComposing(event)) {
      this.#onComposingKey(event);
      return;
    }
    if (!isQueued(event) || this.#composing?.takes(event)) return;
    this.#composing?.finish(false);
    this.#setTyping();
    this.#updateCursor();
    if (!this.#timer && this.#isReady()) this.#updateCursorSoon();
    else this.#enqueue(event, queuedKey(event));
  }

  /** A cell or a row that has the focus opens an input by itself. */
  #onComposingKey(event: KeyboardEvent): void {
    const { target } = event;
    if (!(target instanceof HTMLElement) || isTextInput(target)) return;
    this.#setTyping();
    this.#updateCursor();
    if (!this.#timer && this.#isReady()) return;
    event.stopImmediatePropagation();
    this.#wait();
    const label = this.#grid?.fields.get(this.#cursor?.field ?? "")?.label ?? "";
    const over = target === document.body ? (this.#grid?.host ?? target) : target;
    // The grid gives the focus to its focused cell whenever it draws that anew.
    this.#grid?.api.clearFocusedCell();
    this.compose(over, label, (text) => {
      this.#inputs.push(...queuedText(text));
      this.#wait();
    });
  }

  /** Opens an input over an element for the text that is composed now, and passes the text on, if there is any. */
  compose(over: HTMLElement, label: string, onText: (text: string) => void): void {
    this.#composing = new ComposingInput(over, label, (text) => {
      this.#composing = null;
      if (text !== "") onText(text);
    });
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
    this.#composing?.finish(true);
    this.#inputs.push(input);
    this.#wait();
  }

  #onPointer(event: PointerEvent): void {
    const { target } = event;
    this.#reached.forget();
    const cell = target instanceof Element ? target.closest(".ag-cell") : null;
    if (this.#isOfGrid(cell) || isInEditor(target)) {
      this.#isInGrid = true;
      const clicked = this.#timer && cell && !isInEditor(target) ? this.#cursorAt(cell) : null;
      if (clicked) this.#enqueue(event, { kind: "go", cursor: clicked });
      else this.#updateCursorSoon();
    } else {
      this.#isFocusOfGrid = false;
      this.#leave();
    }
  }

  /** Whether it is in the grid, or in one that another takes the place of. */
  #isOfGrid(target: EventTarget | null): boolean {
    return target instanceof Node && this.#lastGrid?.host.contains(target) === true;
  }

  /** What a cell on the screen shows. */
  #cursorAt(cell: Element): Cursor | null {
    const shown = this.#lastGrid?.cells.showing(cell);
    return shown && shown.record !== null
      ? { record: shown.record, row: 0, field: shown.field }
      : null;
  }

  #onFocus({ target, relatedTarget }: FocusEvent): void {
    const isOfGrid = this.#isOfGrid(target);
    this.#isFocusOfGrid = isOfGrid;
    // Rows that are drawn lose the focus as well: only where keys are taken has the user gone on purpose.
    const isReached = this.#reached.reach(target, this.#lastGrid?.host);
    if (this.#timer && !isReached) return;
    const cell = target instanceof Element ? target.closest(".ag-cell, .ag-full-width-row") : null;
    if (this.#isOfGrid(cell)) {
      if (this.#reached.giveBack()) return;
      this.#isInGrid = true;
      if (cell && cell !== target) this.#goToRow(cell);
    } else if (isOfGrid && relatedTarget === null && this.#isInGrid && this.#hasRows())
      this.#wait();
    else if (!isInEditor(target) && !this.#grid?.editors.isOpen) this.#leave();
  }

  /** AG Grid gives a header the focus that a removed cell had, also where the rows are only being drawn anew. */
  #hasRows(): boolean {
    return this.#grid !== null && rowCount(this.#grid) > 0;
  }

  /** The focus is on something within a cell, such as a checkbox, which the grid does not notice. */
  #goToRow(cell: Element): void {
    const record = cell.closest("[row-id]")?.getAttribute("row-id");
    const field = this.#cursor?.field ?? this.#grid?.columns[0];
    if (record && field !== undefined && !isInEditor(document.activeElement))
      this.#setCursor({ record, row: 0, field });
  }

  #leave(): void {
    this.#composing?.finish(true);
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
    if (this.#composing) {
      this.#timer = setTimeout(() => this.#poll(), POLL_MS);
      return;
    }
    this.#focus();
    const isReady = this.#isReady();
    if (isReady && this.#inputs.length === 0) this.#stop();
    else if (performance.now() > this.#discardAt || this.#hasLeft()) {
      this.#discardInputs();
      this.#goNearby();
    } else {
      if (isReady) this.#replayNext();
      // An editor is drawn after the key that opens it: the next key finds it one task later.
      this.#timer = setTimeout(() => this.#poll(), isReady ? 0 : POLL_MS);
    }
  }

  /** Its cell will not appear: where the focus is nowhere, a row that is on the screen takes it. */
  #goNearby(): void {
    const grid = this.#grid;
    if (grid && this.#isInGrid && this.#hasRows() && isNowhere()) takeFocus(grid);
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
    this.#composing?.finish(true);
    const text = textOf(this.#inputs);
    this.#stop();
    if (text !== "") storeUndelivered(text, this.#lastGrid, this.#cursor);
  }

  #stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#inputs = [];
    this.#publish();
  }
}

export function currentId({ core, table }: GridController, record: string): string {
  return core.edits.currentId(table.name, record);
}

/** Whether the browser's focus is where the cursor is: in its cell, in the open editor, or on its heading. */
function hasFocus(grid: GridController, { record, field, extra }: Cursor): boolean {
  const active = document.activeElement;
  const open = grid.editors.current();
  const isEditing = grid.api.getEditingCells().length > 0;
  // That of a long text has ended a moment before it is closed: until then the next key would reach it.
  if (open && isEditing) return open.element.contains(active);
  if (extra) {
    const row = `.ag-full-width-row[row-index="${grid.groups.indexOf(extra)}"]`;
    return active?.matches(row) === true;
  }
  if (record === null || isEditing) return false;
  const current = currentId(grid, record);
  // Where it was drawn before, the next key would find another row below it.
  const cell = grid.cells.find(current, field, indexAbove(grid, current) >= 0);
  return cell?.element === active && !isUnread(grid, current);
}

/** Whether the values of a record are being read again, because rights or model have changed: what is typed would not be based on what its author has seen. */
function isUnread({ rowList }: GridController, record: string): boolean {
  if (rowList.status.phase !== "resyncing") return false;
  const view = rowList.get(record);
  return view?.mark !== "deleted" && Object.keys(view?.values ?? {}).length === 0;
}

/** Whether nothing has the browser's focus. */
function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** The row of a new record above the rows; -1 if it is none. */
function indexAbove({ rowList }: GridController, record: string): number {
  return rowList.created.findIndex(({ id }) => id === record);
}

/** Focuses the cell of a record, as far as it is drawn. */
function focusRecord(grid: GridController, known: string, field: string): void {
  const record = currentId(grid, known);
  const above = indexAbove(grid, record);
  const index = above >= 0 ? above : indexOfRecord(grid, record);
  if (index < 0) return;
  const rowPinned = above >= 0 ? "top" : null;
  if (!rowPinned) grid.api.ensureIndexVisible(index);
  grid.api.ensureColumnVisible(field);
  // The rows that are drawn may be those of another order yet.
  if (nodeAt(grid, { rowIndex: index, rowPinned })?.data?.id !== record) return;
  grid.api.setFocusedCell(index, field, rowPinned);
  grid.cells.find(record, field, above >= 0)?.element.focus({ preventScroll: true });
}

/** Focuses a heading or a row for new records, as far as it is drawn. */
function focusExtra({ api, groups }: GridController, extra: ExtraPlace, field: string): void {
  const index = groups.indexOf(extra);
  if (index < 0) return;
  api.ensureIndexVisible(index);
  api.setFocusedCell(index, field);
}

/**
 * Whether the cursor's record has left the view, and the rows of the view are drawn: its cell will not appear, and the
 * user sees the focus on another record.
 */
function hasLeftView(grid: GridController, { extra, record }: Cursor): boolean {
  if (extra) return grid.groups.indexOf(extra) < 0;
  if (record === null || rowOfRecord(grid, currentId(grid, record)) >= 0) return false;
  const at = grid.api.getFocusedCell();
  // In a grid that was just drawn, nothing has the focus yet.
  if (!at) return grid.rowList.status.phase === "ready" && !grid.rowList.isAligning;
  const shown = nodeAt(grid, at)?.data?.id;
  return Boolean(shown) && shown === recordInRow(grid, rowOf(grid, at))?.id;
}

const textInput = 'input:not([type="checkbox"]), textarea';
/** Inputs for text, dialogs and menus. */
const takingKeys = `${textInput}, [role="dialog"] *, [role="menu"], [role="menu"] *`;

/** Whether the keys that are pressed next are meant for this element, outside the rows and the editors of their cells. */
export function takesKeys(target: EventTarget | null, rows?: HTMLElement): target is HTMLElement {
  const isOutside = target instanceof HTMLElement && !rows?.contains(target) && !isInEditor(target);
  return isOutside && target.matches(takingKeys);
}

/**
 * The input for text that the user has gone to. The grid focuses a cell that it draws late: until the user does more than
 * type, the input gets the focus back. A button does not: it may be what gives the focus to a cell.
 */
class ReachedInput {
  #element: HTMLElement | null = null;

  /** Whether the focus is in such an input now. */
  reach(target: EventTarget | null, rows?: HTMLElement): boolean {
    if (!takesKeys(target, rows)) return false;
    this.#element = target.matches(textInput) ? target : null;
    return true;
  }

  giveBack(): boolean {
    if (!this.#element?.isConnected) return false;
    this.#element.focus({ preventScroll: true });
    return true;
  }

  forget(): void {
    this.#element = null;
  }
}

/**
 * An input over the row or the cell that has the focus, for what an input method or a dead key composes while the cell that it is meant for is not drawn.
 * It is no part of the grid, which may draw its rows anew meanwhile. Its text is passed on once it is composed, also when the focus leaves before.
 */
class ComposingInput {
  readonly #input = document.createElement("input");
  readonly #over: HTMLElement;
  readonly #onDone: (text: string) => void;
  #isDone = false;

  constructor(over: HTMLElement, label: string, onDone: (text: string) => void) {
    const input = this.#input;
    this.#over = over;
    this.#onDone = onDone;
    // The keys of an editor are not those of the grid.
    input.className = "wf-editor wf-compose";
    input.ariaLabel = label;
    const { top, left, width, height } = over.getBoundingClientRect();
    Object.assign(input.style, {
      top: `${top}px`,
      left: `${left}px`,
      width: `${width}px`,
      height: `${Math.min(height, INPUT_MAX_PX)}px`,
    });
    input.addEventListener("compositionend", () => this.finish(false));
    input.addEventListener("input", (event) => {
      if (event instanceof InputEvent && !event.isComposing) this.finish(false);
    });
    input.addEventListener("blur", () => this.finish(true));
    document.body.append(input);
    input.focus({ preventScroll: true });
  }

  /** Whether the key makes text in it. The browser names the letter after a dead key, not what both make. */
  takes({ key, target, ctrlKey, metaKey }: KeyboardEvent): boolean {
    return target === this.#input && key.length === 1 && !ctrlKey && !metaKey;
  }

  /** Passes its text on. What has been composed of it so far is all that there is if the focus has left. */
  finish(isLeft: boolean): void {
    // Removing it takes the focus from it, too.
    if (this.#isDone) return;
    this.#isDone = true;
    const text = this.#input.value;
    this.#input.remove();
    if (!isLeft && text === "") this.#over.focus({ preventScroll: true });
    this.#onDone(text);
  }
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Keys with a modifier that are commands of the grid; all others are the browser's or the shell's. */
const withModifier = /^(Enter|Home|End|Backspace|Delete|Arrow\w+|[adryz ;:])$/;
const plain =
  /^(Enter|Tab|Escape|Backspace|Delete|F2|Home|End|PageUp|PageDown|F10|ContextMenu|Arrow\w+)$/;

/** Whether a key does something in the grid, so that it has to reach the right cell. */
function isQueued(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (isForCheckbox(event)) return false;
  if (ctrlKey || metaKey) return withModifier.test(key.length === 1 ? key.toLowerCase() : key);
  return key.length === 1 || plain.test(key) || (altKey && key === "Enter");
}

/** Space on the checkbox of a row is the browser's. */
function isForCheckbox({ key, target }: KeyboardEvent): boolean {
  return key === " " && target instanceof HTMLInputElement && target.type === "checkbox";
}

export function queuedKey(event: KeyboardEvent): QueuedInput {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey, keyCode } = event;
  const modifiers = { ctrlKey, metaKey, altKey, shiftKey, bubbles: true, cancelable: true };
  return { kind: "key", init: { key, code, keyCode, ...modifiers } };
}

export function queuedPaste(clipboard: DataTransfer): QueuedInput {
  return { kind: "paste", data: clipboard.types.map((type) => [type, clipboard.getData(type)]) };
}

/** Text for a cell, wherever it was composed: the key of an input method opens the editor for it. */
export function queuedText(text: string): QueuedInput[] {
  const opens: QueuedInput = {
    kind: "key",
    init: { key: COMPOSING_KEY, bubbles: true, cancelable: true },
  };
  return [opens, { kind: "paste", data: [["text/plain", text]] }];
}

/** Replays user input on the focused element. */
function replay(input: Exclude<QueuedInput, { kind: "go" }>): void {
  const target = document.activeElement;
  if (!target) return;
  const text = insertedText(input);
  if (isTextInput(target) && text !== null) document.execCommand("insertText", false, text);
  else if (input.kind === "paste") target.dispatchEvent(pasteEvent(input.data));
  else if (target.dispatchEvent(new KeyboardEvent("keydown", input.init)) && isTextInput(target))
    editText(target, input.init.key);
}

/** What was typed, as far as it is text. */
function textOf(inputs: readonly QueuedInput[]): string {
  return inputs
    .map((input) => insertedText(input) ?? " ")
    .join("")
    .trim();
}

/** Whether typed characters go into a text input now. */
function isInTextInput(): boolean {
  return document.activeElement !== null && isTextInput(document.activeElement);
}

function insertedText(input: QueuedInput): string | null {
  if (input.kind === "go") return null;
  if (input.kind === "paste") {
    return input.data.find(([type]) => type === "text/plain")?.[1] ?? null;
  }
  const { key, ctrlKey, metaKey } = input.init;
  return key.length === 1 && !ctrlKey && !metaKey ? key : null;
}

function pasteEvent(data: readonly (readonly [string, string])[]): ClipboardEvent {
  const clipboardData = new DataTransfer();
  for (const [type, text] of data) clipboardData.setData(type, text);
  return new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
}

type TextInput = HTMLInputElement | HTMLTextAreaElement;

function isTextInput(element: Element): element is TextInput {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

/** The effect of a key on a text, which browsers have only for real key presses. */
function editText(input: TextInput, key: string): void {
  const [start, end] = [input.selectionStart ?? 0, input.selectionEnd ?? 0];
  const to = {
    ArrowLeft: start === end ? start - 1 : start,
    ArrowRight: start === end ? end + 1 : end,
    Home: 0,
    End: input.value.length,
  }[key];
  if (key === "Backspace") document.execCommand("delete");
  else if (key === "Delete") document.execCommand("forwardDelete");
  else if (key === "Enter" && input instanceof HTMLTextAreaElement)
    document.execCommand("insertText", false, "\n");
  else if (to !== undefined) input.setSelectionRange(Math.max(0, to), Math.max(0, to));
}

/** Shows a notice that text did not reach its cell, and stores it as an unsaved text if the record is known. */
function storeUndelivered(text: string, grid: GridController | null, cursor: Cursor | null): void {
  toastFailure(messages.rowNotShown({ text }));
  if (!grid || !cursor?.record) return;
  const { table, fields, core } = grid;
  const label = `${table.label} · ${fields.get(cursor.field)?.label ?? cursor.field}`;
  const place = { table: table.name, record: cursor.record, field: cursor.field };
  core.texts.add({ ...place, text, label, reason: messages.rowNotShownReason() });
}
