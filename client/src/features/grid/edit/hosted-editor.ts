import type { ICellEditorComp, ICellEditorParams } from "ag-grid-community";
import { traitsOf } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { COMPOSING_KEY } from "../../../records/fields/composing-keys.ts";
import { baseOf, FieldEdit, lockedField } from "../../../records/fields/field-edit.ts";
import { isLong } from "../../../records/fields/field-input.tsx";
import type { RecordView } from "../../../state/record-view.ts";
import type { UnreadableText } from "../clipboard/unreadable-cells.ts";
import type { GridController } from "../grid-controller.ts";
import { cellAt, type OpenEditor } from "./editor-host.ts";

type Params = ICellEditorParams<RecordView> & { grid: GridController; field: Field };

/**
 * The grid's editor for every field type: an element that React fills synchronously, so that the next keystroke reaches
 * the input. Its edit (`FieldEdit`) ends whenever the grid stops the editor, by whatever way.
 */
export class HostedEditor implements ICellEditorComp<RecordView> {
  #params!: Params;
  #editor!: OpenEditor;
  #hadFocus = false;
  readonly #element = document.createElement("div");

  init(params: Params): void {
    const { grid, field, data } = params;
    this.#params = params;
    const locked = grid.editors.lockedReason(data.id, field.name);
    const typed = typedText(params.eventKey);
    const isCorrected = typed === undefined && locked === null && !isChosen(field);
    const takenUp = isCorrected ? grid.unreadable.of(data, field.name) : null;
    const edit = beginEdit(grid, { data, field, locked, takenUp });
    this.#element.className = isLong(field.type) ? "wf-editor-popup" : "wf-editor";
    if (locked !== null) this.#element.dataset.locked = "";
    this.#element.addEventListener("keydown", ({ key }) => key === "Escape" && edit.cancel());
    this.#editor = {
      element: this.#element,
      record: data.id,
      field: locked === null ? field : lockedField(field),
      edit,
      typed: typed ?? takenUp?.text,
      focus: () => this.#focus(),
      endWith: (save) => {
        const done = edit.endWith(save);
        if (done) params.stopEditing(true);
        return done;
      },
      onDone: () => params.stopEditing(),
    };
    grid.rowList.beginEdit(data.id);
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

  getValue(): unknown {
    const { base, parsed } = this.#editor.edit;
    return parsed.ok ? parsed.value : base;
  }

  /** The grid asks this whenever it has stopped the editor, and never writes a value itself: this is where the edit ends. */
  isCancelAfterEnd(): boolean {
    this.#editor.edit.end();
    return true;
  }

  /** If the row or column is removed, the grid only destroys the editor. Its edit ends all the same. */
  destroy(): void {
    const { grid } = this.#params;
    this.#editor.edit.end();
    grid.rowList.endEdit(grid.core.edits.currentId(grid.table.name, this.#editor.record));
    // The grid may destroy the editor while React renders, so it is closed in a microtask.
    queueMicrotask(() => grid.editors.close(this.#editor));
  }
}

/** An edit begins with the value that the grid shows, or with the user's own that was refused, to be corrected. */
function beginEdit(
  grid: GridController,
  {
    data,
    field,
    locked,
    takenUp,
  }: { data: RecordView; field: Field; locked: string | null; takenUp: UnreadableText | null },
): FieldEdit {
  const at = cellAt(grid, data.id, field);
  const state = (grid.rowList.get(data.id) ?? data).cells[field.name];
  const shown = state?.kind === "rejected" ? state.mine : baseOf(at, data);
  return new FieldEdit({
    at,
    base: locked === null ? shown : null,
    locked,
    resumed: takenUp?.listed ?? null,
    onUnsaved: (unsaved) => {
      const record = grid.rowList.get(grid.core.edits.currentId(grid.table.name, data.id));
      if (record) grid.unreadable.add([{ record, field: field.name, ...unsaved }]);
    },
  });
}

/** What the key that opened the editor has typed: a character, or nothing yet where an input method composes it. */
function typedText(key: string | null): string | undefined {
  if (key === COMPOSING_KEY) return "";
  return key?.length === 1 ? key : undefined;
}

/** Whether the values of a field are chosen from a list. */
export function isChosen({ type }: Field): boolean {
  return traitsOf(type).names !== undefined || type === "boolean";
}
