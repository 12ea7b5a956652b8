import type { Json } from "../../../../../shared/filter/filter.ts";
import { Listeners } from "../../../../../shared/listeners.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import type { Parsed } from "../../../records/fields/typed-text.ts";

/** An open cell editor. All values are captured when it opens, because rows may move. */
export interface OpenEditor {
  element: HTMLElement;
  record: string;
  field: Field;
  /** The value that the user saw when they began: the base of the edit. */
  base: Json;
  typed: string | undefined;
  /** Focuses its input, once it is mounted. */
  focus(): void;
  /** Ends the editor without saving, and returns its value; null while the text is no value. */
  take(): { value: Json } | null;
  /** Ends the editor without saving, and returns its text, if it is not known yet what that names; null otherwise. */
  takeName(): string | null;
  onDraft(draft: Parsed, text: string): void;
  onDone(): void;
}

/** A cell that may not be edited, whose editor only takes text to store as unsaved text. */
interface LockedCell {
  record: string;
  field: string;
  reason: string;
}

/** Connects the grid, which decides when a cell is edited, with React, which renders the editor. */
export class EditorHost {
  /** The locked cell that is being typed into, until its editor is closed. */
  locked: LockedCell | null = null;
  /**
   * The cell of the last row that Enter has saved, where no row follows: until the user does anything but type, what they type is meant
   * for a row that is not there, and must not replace what they have just saved.
   */
  ended: { record: string; field: string } | null = null;
  #open: OpenEditor | null = null;
  readonly #listeners = new Listeners();

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Why the cell is locked that is being typed into; null for all other cells. */
  lockedReason(record: string, field: string): string | null {
    const { locked } = this;
    return locked?.record === record && locked.field === field ? locked.reason : null;
  }

  readonly current = (): OpenEditor | null => this.#open;

  readonly subscribe = this.#listeners.add;

  open(editor: OpenEditor): void {
    this.#open = editor;
    this.#notify();
  }

  close(editor: OpenEditor): void {
    if (this.#open !== editor) return;
    this.#open = null;
    this.locked = null;
    this.#notify();
  }

  #notify(): void {
    this.#listeners.emit();
  }
}
