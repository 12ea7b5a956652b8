import type { ICellRendererComp, ICellRendererParams } from "ag-grid-community";
import { recordTitle } from "../../../../../shared/model/display-text.ts";
import { traitsOf } from "../../../../../shared/model/field-types.ts";
import type { Field, Table } from "../../../../../shared/model/model.ts";
import { type RecordCard, recordCard } from "../../../../../shared/model/record-card.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { isEmptyOf } from "../../../records/fields/same-value.ts";
import type { PlacedColumn } from "../../../records/views/column-layout.ts";
import type { CellState, RecordView } from "../../../state/record-view.ts";
import { flashElement } from "../../../ui/flash-element.ts";
import { rowLabel } from "../cells/cell-labels.ts";
import { CARD, type LiveCell } from "../cells/live-cells.ts";
import { paintAvatars } from "../cells/paint-avatars.ts";
import { paintValue } from "../cells/paint-value.ts";
import { createElement } from "../create-element.ts";
import type { GridController } from "../grid-controller.ts";
import { type CellColour, paintRule, ruleSigns } from "../look/colour-rules.ts";

type Params = ICellRendererParams<RecordView> & { grid: GridController };

/** Two lines of a phone have space for no more. */
const FIELDS_SHOWN = 4;

/** The card of a view: with the first of its columns. */
export function cardOfView(table: Table, placed: readonly PlacedColumn[]): RecordCard {
  const shown = placed.filter(({ hidden }) => !hidden).map(({ field }) => field);
  const card = recordCard(table, shown);
  return { ...card, fields: card.fields.slice(0, FIELDS_SHOWN) };
}

/** All fields of a card, in the order in which it shows them. */
export function shownFields({ title, name, fields }: RecordCard): Field[] {
  return [title, name, ...fields].flatMap((field) => field ?? []);
}

/** A record as a card, the only cell of its row: title, first fields, and the marks of its state. */
export class CardView implements ICellRendererComp<RecordView>, LiveCell {
  readonly field = CARD;
  record: string | null = null;
  #params!: Params;
  #shown: unknown = null;
  /** The elements of values, by field. */
  #values = new Map<string, HTMLElement>();
  readonly #root = createElement("span", "wf-card");
  readonly #title = createElement("span", "wf-card-title");
  readonly #users = createElement("span", "wf-gutter-users");
  readonly #name = createElement("span", "wf-card-name");
  readonly #marks = createElement("span", "wf-card-marks");
  readonly #fields = createElement("span", "wf-card-fields");

  init(params: Params): void {
    params.eGridCell.classList.add("wf-card-cell");
    const check = createElement("span", "wf-card-check");
    const top = createElement("span", "wf-card-top");
    this.#root.translate = false;
    const middle = createElement("span", "wf-card-middle");
    const body = createElement("span", "wf-card-body");
    top.append(this.#title, this.#users);
    middle.append(this.#name, this.#marks);
    body.append(top, middle, this.#fields);
    this.#root.append(check, body);
    this.refresh(params);
  }

  getGui(): HTMLElement {
    return this.#root;
  }

  refresh(params: Params): boolean {
    const { cells } = params.grid;
    cells.remove(this, this.record);
    this.#params = params;
    this.record = params.data?.id ?? null;
    cells.add(this);
    this.#root.classList.toggle("wf-loading", !params.data);
    this.paintContent();
    this.paintState();
    this.paintPresence();
    return true;
  }

  destroy(): void {
    this.#params.grid.cells.remove(this, this.record);
  }

  get isAbove(): boolean {
    return this.#params.node.rowPinned === "top";
  }

  get element(): HTMLElement {
    return this.#params.eGridCell;
  }

  paintContent(force = false): void {
    const { data, grid } = this.#params;
    if (!force && data?.values === this.#shown) return;
    this.#shown = data?.values;
    this.#values = new Map();
    const { title, name, fields } = grid.cards ?? { fields: [] };
    this.#paintValue(this.#title, title);
    if (data && !this.#title.hasChildNodes()) this.#title.textContent = untitled(grid, data);
    this.#paintValue(this.#name, name);
    this.#fields.replaceChildren(
      ...fields
        .filter((field) => !isEmptyOf(field, data?.values[field.name]))
        .map((field) => this.#fieldOf(field)),
    );
    this.paintColour();
    this.paintFound();
  }

  paintState(): void {
    const { data, grid, node } = this.#params;
    const states = Object.values(data?.cells ?? {});
    const label = data && (rowLabel(data) ?? (node.rowPinned ? messages.rowNew() : null));
    const rule = this.#rule();
    const problem = data?.problem ? "refused" : (data?.mark ?? "own");
    const unread = data ? grid.unread.of(data.id) : 0;
    this.#marks.replaceChildren(
      ...(label ? [mark(problem, label)] : []),
      ...(rule ? [mark("own", `${ruleSigns[rule.colour]} ${rule.label}`)] : []),
      ...stateMarks(states).map(({ kind, text }) => mark(kind, text)),
      ...(unread > 0 ? [mark("unread", messages.cardUnread({ count: unread }))] : []),
    );
  }

  paintPresence(): void {
    const { grid } = this.#params;
    paintAvatars(this.#users, this.record === null ? [] : grid.presence.usersOn(this.record));
  }

  /** Cards are not selected by ranges. */
  paintRange(): void {}

  paintFound(): void {
    const { data, grid } = this.#params;
    for (const [name, element] of this.#values) {
      const found = data && grid.find.markOf(data, name);
      if (found) element.dataset.found = found;
      else delete element.dataset.found;
    }
  }

  /** Rules of rows colour the card, those of a field its value. */
  paintColour(): void {
    const { data, grid } = this.#params;
    paintRule(this.element, this.#rule());
    for (const [name, element] of this.#values) {
      const found = data ? grid.colours.ofField(data, name) : null;
      paintRule(element, found);
      element.title = found?.label ?? "";
      if (found) element.dataset.sign = ruleSigns[found.colour];
    }
  }

  #rule(): CellColour | null {
    const { data, grid } = this.#params;
    return data ? grid.colours.ofRow(data) : null;
  }

  flash(colour: string): void {
    flashElement(this.element, colour, "card");
  }

  #fieldOf(field: Field): HTMLElement {
    const made = createElement("span", "wf-card-field");
    // The name of something needs no label to be understood.
    const hidden = traitsOf(field.type).names !== undefined ? " wf-visually-hidden" : "";
    const label = createElement("span", `wf-card-label${hidden}`);
    const value = createElement("span", "wf-card-value");
    label.textContent = field.label;
    this.#paintValue(value, field);
    made.append(label, value);
    return made;
  }

  #paintValue(into: HTMLElement, field: Field | undefined): void {
    const { data, grid } = this.#params;
    if (field) {
      paintValue(into, field, data?.values[field.name], grid.labels);
      this.#values.set(field.name, into);
    } else into.replaceChildren();
  }
}

/** The text in place of a title where there is none. A draft has no id yet, either. */
function untitled({ table }: GridController, { id, pending, values }: RecordView): string {
  if (pending === "draft") return messages.newRecord({ record: table.recordLabel });
  return recordTitle(table, id, values);
}

/** What is unsaved on the card, counted by kind. */
function stateMarks(states: readonly CellState[]): { kind: string; text: string }[] {
  const count = (kind: CellState["kind"]) => states.filter((state) => state.kind === kind).length;
  const [conflicts, rejected, pending] = [count("conflict"), count("rejected"), count("pending")];
  return [
    ...(conflicts > 0
      ? [{ kind: "conflict", text: messages.cardConflicts({ count: conflicts }) }]
      : []),
    ...(rejected > 0
      ? [{ kind: "refused", text: messages.cardRejected({ count: rejected }) }]
      : []),
    ...(pending > 0 ? [{ kind: "own", text: messages.cardPending() }] : []),
  ];
}

function mark(kind: string, text: string): HTMLElement {
  const made = createElement("span", "wf-word");
  made.dataset.mark = kind;
  made.textContent = text;
  return made;
}
