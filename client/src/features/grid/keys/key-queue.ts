import { toastFailure } from "../../../ui/toast.tsx";
import type { Desk } from "../desk.ts";
import { rowOf } from "../range/row-map.ts";
import { followFocus } from "./pointer-range.ts";
import {
  type Cursor,
  insertedText,
  isInTextInput,
  isQueued,
  type QueuedInput,
  queuedKey,
  replay,
  textOf,
} from "./queued-input.ts";

/** How often it is tried to bring the focus to where it belongs. */
const POLL_MS = 8;
/** A cell that has not come by then does not come: what was typed for it is shown to the person. */
const WAIT_MAX_MS = 60_000;

/**
 * Sees to it that a key reaches the record it was meant for. Rows are drawn some time after the command that
 * leads to them (a new record, the last row, a new order, another model), and until then the browser's focus is in
 * the old cell or nowhere. From the command on keys wait here, and are played when the cell has the focus.
 */
export class KeyQueue {
  #desk: Desk | null = null;
  #cursor: Cursor | null = null;
  /** Whether the person works in the rows: they came there, and have gone nowhere else. */
  #isInGrid = false;
  /** Whether the grid has been given an input and the cursor does not know yet where it led. */
  #isBehind = false;
  #inputs: QueuedInput[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #giveUpAt = 0;

  /** Listens to the page for as long as the screen is there; the grid under it may be another one meanwhile. */
  listen(): () => void {
    const listeners: [string, (event: never) => void][] = [
      ["keydown", (event: KeyboardEvent) => this.#onKey(event)],
      ["paste", (event: ClipboardEvent) => this.#onPaste(event)],
      ["pointerdown", (event: PointerEvent) => this.#onPointer(event)],
      // What a held pointer would do to the focus waits as well.
      ["mousedown", (event: MouseEvent) => this.#inputs.at(-1)?.kind === "go" && stop(event)],
      ["focusin", ({ target }: FocusEvent) => this.#onFocus(target)],
    ];
    for (const [name, listener] of listeners) {
      window.addEventListener(name, listener as EventListener, true);
    }
    return () => {
      this.#stop();
      for (const [name, listener] of listeners) {
        window.removeEventListener(name, listener as EventListener, true);
      }
    };
  }

  /** The grid that is shown from now on. The cursor stays where it was in the one before. */
  connect(desk: Desk): () => void {
    this.#desk = desk;
    const onFocused = () => this.follow();
    desk.api.addEventListener("cellFocused", onFocused);
    if (this.#isInGrid && this.#cursor) this.#wait();
    return () => {
      if (this.#desk === desk) this.#desk = null;
    };
  }

  #setCursor(cursor: Cursor): void {
    this.#cursor = cursor;
    const { record } = cursor;
    this.#desk?.window.setCurrent(record && this.#currentId(this.#desk, record));
  }

  /** A command leads to this cell: whatever is typed from now on is meant for it. */
  moveTo(cursor: Cursor): void {
    this.#setCursor(cursor);
    this.#isInGrid = true;
    if (!this.#isReady()) this.#wait();
  }

  /** Takes over where the grid's focus is, as the person sees it. To be called before rows move under it. */
  follow(): void {
    const desk = this.#desk;
    if (!desk || this.#timer) return;
    const at = desk.api.getFocusedCell();
    const field = at?.column.getColId() ?? "";
    if (!at || !desk.fields.has(field)) return;
    const node =
      at.rowPinned === "top"
        ? desk.api.getPinnedTopRow(at.rowIndex)
        : desk.api.getDisplayedRowAtIndex(at.rowIndex);
    this.#setCursor({ record: node?.data?.id ?? null, row: rowOf(desk, at), field });
  }

  #onKey(event: KeyboardEvent): void {
    if (!event.isTrusted || !this.#isInGrid || !isQueued(event)) return;
    this.#catchUp();
    if (!this.#timer && this.#isReady()) this.#followLater();
    else this.#hold(event, queuedKey(event));
  }

  /** Where an input leads is known when the grid has heard it: in a moment, or when the next input comes. */
  #followLater(): void {
    this.#isBehind = true;
    setTimeout(() => this.#catchUp(), 0);
  }

  #catchUp(): void {
    if (this.#isBehind) this.follow();
    this.#isBehind = false;
  }

  #onPaste(event: ClipboardEvent): void {
    if (!event.isTrusted || !this.#isInGrid || !event.clipboardData) return;
    this.#catchUp();
    if (!this.#timer && this.#isReady()) return;
    const types = [...event.clipboardData.types];
    const data = types.map((type) => [type, event.clipboardData?.getData(type) ?? ""] as const);
    this.#hold(event, { kind: "paste", data });
  }

  #hold(event: Event, input: QueuedInput): void {
    stop(event);
    this.#inputs.push(input);
    this.#wait();
  }

  #onPointer(event: PointerEvent): void {
    const { target } = event;
    const cell = target instanceof Element ? target.closest(".ag-cell") : null;
    const isHere = cell !== null && this.#desk?.host.contains(cell) === true;
    if (isHere || isInEditor(target)) {
      this.#isInGrid = true;
      const there = this.#timer && cell && !isInEditor(target) ? this.#cursorAt(cell) : null;
      if (there) this.#hold(event, { kind: "go", cursor: there });
      else this.#followLater();
    } else this.#leave();
  }

  /** What a cell on the screen shows. */
  #cursorAt(cell: Element): Cursor | null {
    for (const { element, record, field } of this.#desk?.cells.all() ?? []) {
      if (element === cell && record !== null) return { record, row: 0, field };
    }
    return null;
  }

  #onFocus(target: EventTarget | null): void {
    if (this.#timer) return;
    const cell = target instanceof Element ? target.closest(".ag-cell") : null;
    const isHere = cell !== null && this.#desk?.host.contains(cell) === true;
    if (isHere) this.#isInGrid = true;
    else if (!isInEditor(target) && !this.#desk?.editors.isOpen) this.#leave();
  }

  #leave(): void {
    if (this.#timer) this.#giveUp();
    this.#isInGrid = false;
    this.#desk?.window.setCurrent(null);
  }

  /** Whether the next key would reach the cell that it is meant for. */
  #isReady(): boolean {
    const [desk, cursor] = [this.#desk, this.#cursor];
    if (!cursor) return true;
    if (!desk) return false;
    const active = document.activeElement;
    const open = desk.editors.current();
    if (open) return open.element.contains(active);
    if (cursor.record === null || desk.api.getEditingCells().length > 0) return false;
    return desk.cells.find(this.#currentId(desk, cursor.record), cursor.field)?.element === active;
  }

  #currentId({ core, table }: Desk, record: string): string {
    return core.edits.currentId(table.name, record);
  }

  #wait(): void {
    this.#giveUpAt = performance.now() + WAIT_MAX_MS;
    this.#timer ??= setTimeout(() => this.#poll(), 0);
  }

  #poll(): void {
    this.#focus();
    const isReady = this.#isReady();
    if (isReady && this.#inputs.length === 0) this.#stop();
    else if (performance.now() > this.#giveUpAt) this.#giveUp();
    else {
      if (isReady) this.#playNext();
      // An editor is drawn after the key that opens it: the next key finds it one task later.
      this.#timer = setTimeout(() => this.#poll(), isReady ? 0 : POLL_MS);
    }
  }

  /** Plays one input, or as many as are the text of one input element. */
  #playNext(): void {
    this.#giveUpAt = performance.now() + WAIT_MAX_MS;
    do this.#play(this.#inputs.shift());
    while (isInTextInput() && this.#inputs[0] && insertedText(this.#inputs[0]) !== null);
  }

  #play(input: QueuedInput | undefined): void {
    if (!input) return;
    if (input.kind === "go") {
      this.#desk?.api.stopEditing();
      this.#setCursor(input.cursor);
      return;
    }
    if (this.#desk && !this.#desk.editors.isOpen) followFocus(this.#desk);
    const before = this.#cursor;
    replay(input);
    // A command of our own has moved the cursor by itself.
    if (this.#cursor !== before) return;
    const timer = this.#timer;
    this.#timer = null;
    this.follow();
    this.#timer = timer;
  }

  /** Brings the focus to the cursor's cell, as far as it is drawn. */
  #focus(): void {
    const [desk, cursor] = [this.#desk, this.#cursor];
    if (!desk || !cursor || this.#isReady()) return;
    // The grid may have drawn the cell once more, and taken the focus out of its editor.
    if (desk.editors.isOpen) desk.editors.current()?.focus();
    if (desk.editors.isOpen) return;
    if (cursor.record === null) {
      const record = desk.api.getDisplayedRowAtIndex(cursor.row - desk.window.created.length)?.data;
      if (!record) return;
      this.#setCursor({ ...cursor, record: record.id });
    }
    const record = this.#currentId(desk, this.#cursor?.record ?? "");
    const above = desk.window.created.findIndex(({ id }) => id === record);
    const index = above >= 0 ? above : desk.window.indexOf(record);
    const node =
      above >= 0 ? desk.api.getPinnedTopRow(above) : desk.api.getDisplayedRowAtIndex(index);
    if (index < 0) return;
    if (above < 0) desk.api.ensureIndexVisible(index);
    desk.api.ensureColumnVisible(cursor.field);
    // The rows that are drawn may be those of another order yet.
    if (node?.data?.id === record) {
      desk.api.setFocusedCell(index, cursor.field, above >= 0 ? "top" : null);
      desk.cells.find(record, cursor.field)?.element.focus({ preventScroll: true });
    }
  }

  #giveUp(): void {
    const text = textOf(this.#inputs);
    const [desk, cursor] = [this.#desk, this.#cursor];
    this.#stop();
    if (text === "") return;
    toastFailure(`What you typed was not saved, because its row was not shown: “${text}”`);
    const { table, fields, core } = desk ?? {};
    if (!table || !core || !cursor?.record) return;
    const label = `${table.label} · ${fields?.get(cursor.field)?.label ?? cursor.field}`;
    const place = { table: table.name, record: cursor.record, field: cursor.field };
    core.texts.keep({ ...place, text, label, reason: "Its row was not shown." });
  }

  #stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#inputs = [];
  }
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function isInEditor(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest(".wf-editor, .wf-editor-popup, .wf-open") !== null
  );
}
