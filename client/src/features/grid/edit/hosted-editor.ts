import type { ICellEditorComp, ICellEditorParams } from "ag-grid-community";
import type { Field } from "../../../../../shared/model/model.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { isLong } from "../../../ui/fields/field-input.tsx";
import type { Parsed } from "../../../ui/fields/parse-input.ts";
import { isSameValue } from "../../../ui/fields/same-value.ts";
import { toastFailure } from "../../../ui/toast.tsx";
import type { Desk } from "../desk.ts";
import { commitCell } from "./commit-cell.ts";
import type { OpenEditor } from "./editor-host.ts";

type Params = ICellEditorParams<RecordView> & { desk: Desk; field: Field };

/**
 * The grid's editor for every field type: an element that React fills at once, so that the next
 * keystroke of a quick typist already finds the input. It commits by itself when the grid stops it,
 * with the record, field and base that it was opened with.
 */
export class HostedEditor implements ICellEditorComp<RecordView> {
  #params!: Params;
  #editor!: OpenEditor;
  #draft!: Parsed;
  #dropped = false;
  readonly #element = document.createElement("div");

  init(params: Params): void {
    const { desk, field, data } = params;
    this.#params = params;
    const base = data.values[field.name] ?? null;
    this.#draft = { ok: true, value: base };
    this.#element.className = isLong(field.type) ? "wf-editor-popup" : "wf-editor";
    this.#element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#dropped = true;
    });
    this.#editor = {
      element: this.#element,
      record: data.id,
      field,
      base,
      typed: params.eventKey?.length === 1 ? params.eventKey : undefined,
      onDraft: (draft) => {
        this.#draft = draft;
      },
      onDone: () => params.stopEditing(),
    };
    desk.window.beginEdit(data.id);
    desk.editors.open(this.#editor);
  }

  getGui(): HTMLElement {
    return this.#element;
  }

  /** React fills the element when it has drawn the cell: within this task, before any other key. */
  afterGuiAttached(): void {
    queueMicrotask(() => this.#focus());
  }

  #focus(): void {
    const input = this.#element.querySelector<HTMLInputElement | HTMLTextAreaElement>(
      "input, textarea",
    );
    input?.focus({ preventScroll: true });
    const atEnd = this.#editor.typed !== undefined || input instanceof HTMLTextAreaElement;
    if (atEnd) input?.setSelectionRange(input.value.length, input.value.length);
    else input?.select();
  }

  getValue(): unknown {
    return this.#draft.ok ? this.#draft.value : this.#editor.base;
  }

  /** The grid never writes values itself; what was typed becomes an edit here, exactly once. */
  isCancelAfterEnd(): boolean {
    const draft = this.#draft;
    if (this.#dropped) return true;
    // Asked more than once for one end: only the first answer acts.
    this.#dropped = true;
    if (!draft.ok) toastFailure(`${this.#params.field.label} was left as it was: ${draft.message}`);
    else if (!isSameValue(draft.value, this.#editor.base)) {
      commitCell(this.#params.desk, this.#editor, draft.value);
    }
    return true;
  }

  /** Where row or column has gone from under the editor the grid asks nothing: what was typed counts all the same. */
  destroy(): void {
    const { desk } = this.#params;
    this.isCancelAfterEnd();
    desk.window.endEdit(this.#editor.record);
    // The grid may take the editor away while React is drawing: leave that to the next task.
    queueMicrotask(() => desk.editors.close(this.#editor));
  }
}
