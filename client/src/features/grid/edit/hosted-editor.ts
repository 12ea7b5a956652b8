import type { ICellEditorComp, ICellEditorParams } from "ag-grid-community";
import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import type { RecordView } from "../../../state/record-view.ts";
import type { TextPlace } from "../../../state/unsaved-texts.ts";
import { isLong } from "../../../ui/fields/field-input.tsx";
import { notSavedReason } from "../../../ui/fields/not-saved-reason.ts";
import type { Parsed } from "../../../ui/fields/parse-input.ts";
import { isSameValue } from "../../../ui/fields/same-value.ts";
import { toastFailure } from "../../../ui/toast.tsx";
import type { GridController } from "../grid-controller.ts";
import { commitCell, lastCommitted } from "./commit-cell.ts";
import type { OpenEditor } from "./editor-host.ts";

type Params = ICellEditorParams<RecordView> & { grid: GridController; field: Field };

/**
 * What the person sees in the cell. What I have just saved there myself counts at once: the grid may not have drawn it.
 */
function baseOf({ grid, field, data }: Params): Json {
  const displayed = data.values[field.name] ?? null;
  const current = grid.window.get(data.id)?.values[field.name] ?? null;
  const mine = lastCommitted(grid, data.id, field.name);
  return mine !== undefined && isSameValue(mine, current) ? current : displayed;
}

/**
 * The grid's editor for every field type: an element that React fills at once, so that the next
 * keystroke of a quick typist already finds the input. It commits by itself when the grid stops it,
 * with the record, field and base that it was opened with.
 */
export class HostedEditor implements ICellEditorComp<RecordView> {
  #params!: Params;
  #editor!: OpenEditor;
  #draft!: Parsed;
  #text = "";
  #isEnded = false;
  #hadFocus = false;
  readonly #element = document.createElement("div");

  init(params: Params): void {
    const { grid, field, data } = params;
    this.#params = params;
    const base = baseOf(params);
    this.#draft = { ok: true, value: base };
    this.#element.className = isLong(field.type) ? "wf-editor-popup" : "wf-editor";
    this.#element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.#isEnded = true;
      grid.core.texts.clearTyping(this.#place);
    });
    this.#editor = {
      element: this.#element,
      record: data.id,
      field,
      base,
      typed: params.eventKey?.length === 1 ? params.eventKey : undefined,
      focus: () => this.#focus(),
      onDraft: (draft, text) => {
        this.#draft = draft;
        this.#text = text;
        grid.core.texts.setTyping(this.#place, text, this.#label);
      },
      onDone: () => params.stopEditing(),
    };
    grid.window.beginEdit(data.id);
    grid.editors.open(this.#editor);
  }

  getGui(): HTMLElement {
    return this.#element;
  }

  /** Grid and React fill the element one after the other: whoever comes last finds an input to focus. */
  afterGuiAttached(): void {
    queueMicrotask(() => this.#focus());
  }

  #focus(): void {
    const input = this.#element.querySelector<HTMLInputElement | HTMLTextAreaElement>(
      "input, textarea",
    );
    if (!input?.isConnected || input === document.activeElement) return;
    input.focus({ preventScroll: true });
    const isTyped = this.#editor.typed !== undefined || this.#hadFocus;
    const atEnd = isTyped || input instanceof HTMLTextAreaElement;
    this.#hadFocus = true;
    if (atEnd) input.setSelectionRange(input.value.length, input.value.length);
    else input.select();
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
   * The grid never writes values itself; what was typed becomes an edit here, exactly once. What can't be one is
   * kept as a text.
   */
  isCancelAfterEnd(): boolean {
    const draft = this.#draft;
    if (this.#isEnded) return true;
    // Asked more than once for one end: only the first answer acts.
    this.#isEnded = true;
    const { grid, field } = this.#params;
    const isChanged = !draft.ok || !isSameValue(draft.value, this.#editor.base);
    const reason = draft.ok ? notSavedReason(this.#place, field.label) : draft.message;
    if (isChanged && reason !== null) this.#storeUnsavedText(reason);
    else if (draft.ok && isChanged) commitCell(grid, this.#editor, draft.value);
    grid.core.texts.clearTyping(this.#place);
    return true;
  }

  #storeUnsavedText(reason: string): void {
    const { core } = this.#params.grid;
    core.texts.add({ ...this.#place, text: this.#text, label: this.#label, reason });
    toastFailure(`${this.#params.field.label} was not saved. ${reason} Your text is kept.`);
  }

  /** Where row or column has gone from under the editor the grid asks nothing: what was typed counts all the same. */
  destroy(): void {
    const { grid } = this.#params;
    this.isCancelAfterEnd();
    grid.window.endEdit(grid.core.edits.currentId(grid.table.name, this.#editor.record));
    // The grid may take the editor away while React is drawing: leave that to the next task.
    queueMicrotask(() => grid.editors.close(this.#editor));
  }
}
