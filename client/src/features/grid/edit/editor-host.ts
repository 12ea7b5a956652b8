import type { Json } from "../../../../../shared/filter/filter.ts";
import { Listeners } from "../../../../../shared/listeners.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import type { FieldAt, FieldEdit } from "../../../records/fields/field-edit.ts";
import type { SubmittedEdit } from "../../../sync/edits/pending-edits.ts";
import type { GridController } from "../grid-controller.ts";

/** An open cell editor. What it edits is captured when it opens, because rows may move. */
export interface OpenEditor {
  element: HTMLElement;
  record: string;
  field: Field;
  edit: FieldEdit;
  typed: string | undefined;
  /** Focuses its input, once it is mounted. */
  focus(): void;
  /** Ends the editor and hands its value over, once it is known; null while the text is no value. */
  endWith(save: (value: Json) => unknown): Promise<unknown> | null;
  onDone(): void;
}

/** Whether something is part of an editor in the grid, or of what it has opened. */
export function isInEditor(target: EventTarget | null): boolean {
  const editors = ".wf-editor, .wf-editor-popup, .wf-open";
  return target instanceof Element && target.closest(editors) !== null;
}

/** A cell, for an edit of it. */
export function cellAt(
  { core, labels, table, rowList, actions }: GridController,
  record: string,
  field: Field,
): FieldAt<SubmittedEdit> {
  const onSubmitted = async ({ outcome }: SubmittedEdit) => {
    const result = await outcome;
    if (result.kind !== "refused" || result.code !== "conflict") return;
    actions.showNewConflict(result.record, field.name);
  };
  return { core, labels, table, field, record, viewOf: (_, id) => rowList.get(id), onSubmitted };
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
