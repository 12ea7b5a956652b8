import type { ICellEditorComp, ICellEditorParams } from "ag-grid-community";
import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { COMPOSING_KEY } from "../../../records/fields/composing-keys.ts";
import { isLong } from "../../../records/fields/field-input.tsx";
import { lockedField } from "../../../records/fields/locked-text.ts";
import { notSavedReason } from "../../../records/fields/not-saved-reason.ts";
import { isSameValue } from "../../../records/fields/same-value.ts";
import type { Parsed } from "../../../records/fields/typed-text.ts";
import type { RecordView } from "../../../state/record-view.ts";
import type { TextPlace } from "../../../state/unsaved-texts.ts";
import { toastRecurringFailure } from "../../../ui/toast.tsx";
import type { UnreadableText } from "../clipboard/unreadable-cells.ts";
import type { GridController } from "../grid-controller.ts";
import { baseOf, commitCell, lastCommitted } from "./commit-cell.ts";
import type { OpenEditor } from "./editor-host.ts";
import { saveByName } from "./save-by-name.ts";

type Params = ICellEditorParams<RecordView> & { grid: GridController; field: Field };

/**
 * The grid's editor for every field type: an element that React fills synchronously, so that the next keystroke reaches
 * the input. It commits when the grid stops it, with the record, field and base that it was opened with.
 */
export class HostedEditor implements ICellEditorComp<RecordView> {
  #params!: Params;
  #editor!: OpenEditor;
  #draft!: Parsed;
  #text = "";
  #isEnded = false;
  #hadFocus = false;
  /** Whether the user has typed or chosen anything. */
  #isTyped = false;
  /** What was the last edit in the cell when it was opened. */
  #lastCommit: ReturnType<typeof lastCommitted>;
  /** Why the cell may not be edited: what is typed becomes an unsaved text. */
  #locked: string | null = null;
  /** The text that the cell could not take before, with which the editor began. */
  #takenUp: UnreadableText | null = null;
  readonly #element = document.createElement("div");

  init(params: Params): void {
    const { grid, field, data } = params;
    this.#params = params;
    this.#locked = grid.editors.lockedReason(data.id, field.name);
    const base = this.#locked === null ? baseOf(grid, data, field.name) : null;
    this.#draft = { ok: true, value: base };
    const typed = typedText(params.eventKey);
    const isCorrected = typed === undefined && this.#locked === null && !isChosen(field);
    this.#takenUp = isCorrected ? grid.unreadable.of(data, field.name) : null;
    this.#element.className = isLong(field.type) ? "wf-editor-popup" : "wf-editor";
    if (this.#locked !== null) this.#element.dataset.locked = "";
    this.#element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.#isEnded = true;
      grid.core.texts.clearTyping(this.#place);
    });
    this.#editor = {
      element: this.#element,
      record: data.id,
      field: this.#locked === null ? field : lockedField(field),
      base,
      typed: typed ?? this.#takenUp?.text,
      focus: () => this.#focus(),
      take: () => this.#take(),
      takeName: () => this.#takeName(),
      onDraft: (draft, text) => {
        if (this.#isEnded) return;
        this.#draft = draft;
        this.#text = text;
        this.#isTyped = true;
        grid.core.texts.setTyping(this.#place, text, this.#label);
      },
      onDone: () => params.stopEditing(),
    };
    this.#lastCommit = lastCommitted(grid, data.id, field.name);
    grid.window.beginEdit(data.id);
    grid.editors.open(this.#editor);
  }

  getGui(): HTMLElement {
    return this.#element;
  }

  /** Grid and React attach the element in either order; the later one focuses the input. */
  afterGuiAttached(): void {
    queueMicrotask(() => this.#focus());
  }

  #focus(): void {
    const input = this.#element.querySelector<HTMLInputElement | HTMLTextAreaElement>(
      "input, textarea",
    );
    if (!input?.isConnected || input === document.activeElement) return;
    input.focus({ preventScroll: true });
    // As in spreadsheets, F2, Enter and a double click change a value, and a character replaces it. A list is searched anew.
    const isTyped = this.#editor.typed !== undefined || this.#hadFocus;
    const atEnd = isTyped || !isChosen(this.#params.field);
    this.#hadFocus = true;
    if (atEnd) input.setSelectionRange(input.value.length, input.value.length);
    else input.select();
  }

  #take(): { value: Json } | null {
    const draft = this.#draft;
    if (!draft.ok || this.#locked !== null) return null;
    this.#isEnded = true;
    this.#params.grid.core.texts.clearTyping(this.#place);
    this.#discardListed();
    this.#params.stopEditing(true);
    return { value: draft.value };
  }

  #takeName(): string | null {
    if (!this.#isUnsearched) return null;
    this.#isEnded = true;
    this.#params.stopEditing(true);
    return this.#text;
  }

  /** Whether it is not known yet what the text names. */
  get #isUnsearched(): boolean {
    return this.#locked === null && !this.#draft.ok && this.#draft.unsearched === true;
  }

  getValue(): unknown {
    return this.#draft.ok ? this.#draft.value : this.#editor.base;
  }

  get #place(): TextPlace {
    const { table } = this.#params.grid;
    return { table: table.name, record: this.#editor.record, field: this.#editor.field.name };
  }

  get #label(): string {
    return `${this.#params.grid.table.label} · ${this.#params.field.label}`;
  }

  /**
   * The grid never writes values itself: the draft becomes an edit here, exactly once, or an unsaved text if it can't be
   * one.
   */
  isCancelAfterEnd(): boolean {
    const draft = this.#draft;
    if (this.#isEnded) return true;
    // The grid may ask more than once; only the first call has an effect.
    this.#isEnded = true;
    const { grid, field } = this.#params;
    if (this.#isUnsearched) {
      void saveByName(grid, this.#currentEdit, this.#text);
      return true;
    }
    const isChanged = !draft.ok || !isSameValue(draft.value, this.#editor.base) || this.#isRetried;
    const reason =
      this.#locked ?? (draft.ok ? notSavedReason(this.#place, field.label) : draft.message);
    this.#discardListed();
    if (isChanged && reason !== null) this.#storeUnsavedText(reason);
    else if (draft.ok && isChanged) commitCell(grid, this.#currentEdit, draft.value);
    grid.core.texts.clearTyping(this.#place);
    return true;
  }

  /** A text that was ended before may have been saved in this cell since: the user goes on from that. */
  get #currentEdit(): OpenEditor {
    const { grid } = this.#params;
    const { record, field, base } = this.#editor;
    const last = lastCommitted(grid, record, field.name);
    const isSince = last !== this.#lastCommit && last && isSameValue(last.base, base);
    return isSince ? { ...this.#editor, base: last.value } : this.#editor;
  }

  /** Who types once more what was refused wants it tried again. */
  get #isRetried(): boolean {
    const { record, field } = this.#editor;
    const state = this.#params.grid.window.get(record)?.cells[field.name];
    return this.#isTyped && state?.kind === "rejected";
  }

  /** The text that was corrected has become a value, or is listed once more as it is now. */
  #discardListed(): void {
    const listed = this.#takenUp?.listed;
    if (listed) this.#params.grid.core.texts.discard(listed);
  }

  #storeUnsavedText(reason: string): void {
    const { field, grid } = this.#params;
    const { core, window } = grid;
    const text = this.#text;
    const listed = core.texts.add({ ...this.#place, text, label: this.#label, reason });
    // For a locked cell, the user was notified when they began to type.
    if (this.#locked !== null) return;
    toastRecurringFailure("unsaved-text", messages.notSaved({ field: field.label, reason }));
    const record = window.get(core.edits.currentId(this.#place.table, this.#place.record));
    if (record && !this.#draft.ok)
      grid.unreadable.add([{ record, field: field.name, text, reason, listed }]);
  }

  /** If the row or column is removed, the grid only destroys the editor. The draft is committed all the same. */
  destroy(): void {
    const { grid } = this.#params;
    this.isCancelAfterEnd();
    grid.window.endEdit(grid.core.edits.currentId(grid.table.name, this.#editor.record));
    // The grid may destroy the editor while React renders, so it is closed in a microtask.
    queueMicrotask(() => grid.editors.close(this.#editor));
  }
}

/** What the key that opened the editor has typed: a character, or nothing yet where an input method composes it. */
function typedText(key: string | null): string | undefined {
  if (key === COMPOSING_KEY) return "";
  return key?.length === 1 ? key : undefined;
}

/** Whether the values of a field are chosen from a list. */
export function isChosen({ type }: Field): boolean {
  return /^(select|multiSelect|link|person|boolean)$/.test(type);
}
