import type { ICellEditorComp, ICellEditorParams } from "ag-grid-community";
import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import type { RecordView } from "../../../state/record-view.ts";
import type { TextPlace } from "../../../state/unsaved-texts.ts";
import { isLong } from "../../../ui/fields/field-input.tsx";
import type { Parsed } from "../../../ui/fields/parse-input.ts";
import { isSameValue } from "../../../ui/fields/same-value.ts";
import { whyNotSaved } from "../../../ui/fields/why-not-saved.ts";
import { toastFailure } from "../../../ui/toast.tsx";
import type { Desk } from "../desk.ts";
import { commitCell, lastCommitted } from "./commit-cell.ts";
import type { OpenEditor } from "./editor-host.ts";

type Params = ICellEditorParams<RecordView> & { desk: Desk; field: Field };

/**
 * What the person sees in the cell. What I have just saved there myself counts at once: the grid may not have drawn it.
 */
function baseOf({ desk, field, data }: Params): Json {
  const drawn = data.values[field.name] ?? null;
  const current = desk.window.get(data.id)?.values[field.name] ?? null;
  const mine = lastCommitted(desk, data.id, field.name);
  return mine !== undefined && isSameValue(mine, current) ? current : drawn;
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
  #dropped = false;
  #hadFocus = false;
  readonly #element = document.createElement("div");

  init(params: Params): void {
    const { desk, field, data } = params;
    this.#params = params;
    const base = baseOf(params);
    this.#draft = { ok: true, value: base };
    this.#element.className = isLong(field.type) ? "wf-editor-popup" : "wf-editor";
    this.#element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.#dropped = true;
      desk.core.texts.done(this.#place);
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
        desk.core.texts.typing(this.#place, text, this.#label);
      },
      onDone: () => params.stopEditing(),
    };
    desk.window.beginEdit(data.id);
    desk.editors.open(this.#editor);
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
    const { table } = this.#params.desk;
    return { table: table.name, record: this.#editor.record, field: this.#editor.field.name };
  }

  get #label(): string {
    return `${this.#params.desk.table.label} · ${this.#params.field.label}`;
  }

  /**
   * The grid never writes values itself; what was typed becomes an edit here, exactly once. What can't be one is
   * kept as a text.
   */
  isCancelAfterEnd(): boolean {
    const draft = this.#draft;
    if (this.#dropped) return true;
    // Asked more than once for one end: only the first answer acts.
    this.#dropped = true;
    const { desk, field } = this.#params;
    const isChanged = !draft.ok || !isSameValue(draft.value, this.#editor.base);
    const why = draft.ok ? whyNotSaved(this.#place, field.label) : draft.message;
    if (isChanged && why !== null) this.#keep(why);
    else if (draft.ok && isChanged) commitCell(desk, this.#editor, draft.value);
    desk.core.texts.done(this.#place);
    return true;
  }

  #keep(reason: string): void {
    const { core } = this.#params.desk;
    core.texts.keep({ ...this.#place, text: this.#text, label: this.#label, reason });
    toastFailure(`${this.#params.field.label} was not saved. ${reason} Your text is kept.`);
  }

  /** Where row or column has gone from under the editor the grid asks nothing: what was typed counts all the same. */
  destroy(): void {
    const { desk } = this.#params;
    this.isCancelAfterEnd();
    desk.window.endEdit(desk.core.edits.currentId(desk.table.name, this.#editor.record));
    // The grid may take the editor away while React is drawing: leave that to the next task.
    queueMicrotask(() => desk.editors.close(this.#editor));
  }
}
