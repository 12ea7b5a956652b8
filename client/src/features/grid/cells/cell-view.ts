import type { ICellRendererComp, ICellRendererParams } from "ag-grid-community";
import { isNumeric } from "../../../../../shared/filter/value-kinds.ts";
import { kindOfType } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { neededFields } from "../../../../../shared/model/needed-fields.ts";
import { governedBy } from "../../../../../shared/model/state-of.ts";
import type { PresenceUser } from "../../../../../shared/protocol/presence.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { formatValue } from "../../../records/fields/format-value.ts";
import { formatExact } from "../../../records/fields/instant.ts";
import { readOnlyReason } from "../../../records/fields/read-only-reason.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { endFlash, flashElement } from "../../../ui/flash-element.ts";
import { userColour } from "../../../ui/user-colour.ts";
import { foundInHidden, isFound, searchedText } from "../find/search-marks.ts";
import type { GridController } from "../grid-controller.ts";
import { isLinkReadable } from "../links/linked-place.ts";
import { paintRule, ruleSigns } from "../look/colour-rules.ts";
import { recordInRow, rowOf } from "../range/row-map.ts";
import { cellStateLabel, rowLabel } from "./cell-labels.ts";
import type { LiveCell } from "./live-cells.ts";
import { paintRangeHandles, TOUCHED } from "./paint-range-handles.ts";
import { paintValue } from "./paint-value.ts";
import { setAttribute, setData, setRowData, setText } from "./set-element.ts";

type Params = ICellRendererParams<RecordView> & { grid: GridController; field: Field };

/**
 * One cell on the screen, rendered without React: its value, state (pending, conflict, rejected), range and the users in
 * it. Each layer is painted only when it changes.
 */
export class CellView implements ICellRendererComp<RecordView>, LiveCell {
  #params!: Params;
  #record: string | null = null;
  #shown: unknown = Symbol("unpainted");
  #searched = "";
  readonly #root = document.createElement("span");
  readonly #value = document.createElement("span");
  readonly #sign = document.createElement("span");

  init(params: Params): void {
    this.#root.className = "wf-cell";
    this.#value.className = "wf-value";
    // A value is not translated by the browser.
    this.#value.translate = false;
    this.#sign.className = "wf-sign";
    this.#root.append(this.#value, this.#sign);
    // As `cellClass` of the column it would be removed and added again with each update of the row.
    params.eGridCell.classList.toggle("wf-number", isNumeric(kindOfType[params.field.type]));
    this.#update(params);
  }

  getGui(): HTMLElement {
    return this.#root;
  }

  refresh(params: Params): boolean {
    this.#update(params);
    return true;
  }

  destroy(): void {
    this.#params.grid.cells.remove(this, this.#record);
  }

  get record(): string | null {
    return this.#record;
  }

  get field(): string {
    return this.#params.field.name;
  }

  get isAbove(): boolean {
    return this.#params.node.rowPinned === "top";
  }

  /** The cell's own element, for popovers beside it. */
  get element(): HTMLElement {
    return this.#params.eGridCell;
  }

  #update(params: Params): void {
    const record = params.data?.id ?? null;
    const { cells } = params.grid;
    cells.remove(this, this.#record);
    this.#params = params;
    if (this.#record !== record) endFlash(params.eGridCell);
    this.#record = record;
    cells.add(this);
    this.#root.classList.toggle("wf-loading", !params.data);
    this.#root.classList.toggle("wf-opens", isLinkReadable(params.field));
    this.paintContent();
    this.paintState();
    this.paintRange();
    this.paintPresence();
    this.paintFound();
    this.paintColour();
  }

  /** Paints the value. Called again when the labels of links have arrived. */
  paintContent(force = false): void {
    const { data, field, grid } = this.#params;
    const value = data?.values[field.name];
    const searched = searchedText(grid);
    const isPainted = !force && value === this.#shown;
    if (isPainted && searched === this.#searched) return;
    this.#searched = searched;
    this.#shown = value;
    if (!isPainted) paintValue(this.#value, field, value, grid.labels);
    setAttribute(this.#value, "data-searched", isFound(grid, field, value) ? "" : null);
  }

  paintState(): void {
    const { data, field, grid, eGridCell } = this.#params;
    const state = data?.cells[field.name];
    const isMissing = data?.pending === "draft" && this.#isNeeded(data);
    const left = data && !state ? grid.unreadable.of(data, field.name) : null;
    setData(eGridCell, "state", isMissing ? "missing" : left ? "unreadable" : state?.kind);
    setData(eGridCell, "missing", isMissing ? messages.missing() : undefined);
    setRowData(eGridCell, "opened", data !== undefined && data.id === grid.opened);
    const label = data && this.#hasRoomForLabel(data) ? this.#rowLabel(data) : null;
    const unsaved = left ? messages.notWritten({ ...left }) : cellStateLabel(state);
    const stateLabel = isMissing ? messages.requiredForCreate() : unsaved;
    setAttribute(this.#sign, "class", label ? "wf-word" : "wf-sign");
    setText(this.#sign, label ?? "");
    setAttribute(this.#sign, "title", label);
    if (label && data) setData(this.#sign, "mark", data.problem ? "refused" : (data.mark ?? "own"));
    const isState = field.name === governedBy(grid.table)?.stateField;
    const readOnly =
      data && !isState ? readOnlyReason(grid.table, field, grid.abilities, data) : null;
    setData(eGridCell, "readonly", readOnly ? "" : undefined);
    setAttribute(eGridCell, "aria-readonly", readOnly ? "true" : null);
    setAttribute(eGridCell, "aria-invalid", left || isProblem(state?.kind) ? "true" : null);
    const ruleLabel = this.#ruleLabel(data);
    setAttribute(eGridCell, "aria-description", stateLabel || ruleLabel);
    setAttribute(this.#root, "title", stateLabel || ruleLabel || this.#tooltip() || readOnly);
  }

  paintRange(): void {
    const { grid, eGridCell } = this.#params;
    const isInside = this.#isInRange(this.#record, 0);
    const isSelected = isInside && grid.range.isShown;
    setData(eGridCell, "range", isSelected ? "" : undefined);
    setAttribute(eGridCell, "aria-selected", isSelected ? "true" : null);
    const isTouched = grid.host.hasAttribute(TOUCHED);
    if (!isInside) {
      setData(eGridCell, "corner", undefined);
      if (isTouched) paintRangeHandles(eGridCell, { first: false, last: false, fill: false });
      return;
    }
    const { rowIndex, rowPinned } = this.#params.node;
    const row = rowOf(grid, { rowIndex: rowIndex ?? -1, rowPinned });
    const { style } = eGridCell;
    const recordAt = (at: number) => recordInRow(grid, at)?.id ?? null;
    const below = recordAt(row + 1);
    const isTop = !this.#isInRange(recordAt(row - 1), 0);
    const isLast = !this.#isInRange(below, 0);
    const isLeft = !this.#isInRange(this.#record, -1);
    const isRightmost = !this.#isInRange(this.#record, 1);
    const edge = (isEdge: boolean) => (isEdge ? "2px" : "0px");
    style.setProperty("--wf-t", edge(isTop));
    style.setProperty("--wf-b", edge(isLast));
    style.setProperty("--wf-l", edge(isLeft));
    style.setProperty("--wf-r", edge(isRightmost));
    // Of several parts, the last one is filled.
    const filled = grid.range.parts.slice(-1);
    const [isIn, isBelow, isRight] = [
      this.#isInRange(this.#record, 0, filled),
      this.#isInRange(below, 0, filled),
      this.#isInRange(this.#record, 1, filled),
    ];
    const isWritable = grid.abilities.update.includes(this.field);
    const isCorner = isIn && !isBelow && !isRight && isWritable;
    setData(eGridCell, "corner", isCorner ? "" : undefined);
    const ends = { first: isTop && isLeft, last: isLast && isRightmost, fill: isCorner };
    if (isTouched) paintRangeHandles(eGridCell, ends);
  }

  /** Marks the cell if it contains the text to find. */
  paintFound(): void {
    const { data, grid, eGridCell } = this.#params;
    setData(eGridCell, "found", data && grid.find.markOf(data, this.field));
  }

  /** Colours the cell by the rules of the view. */
  paintColour(): void {
    const { data, grid, eGridCell } = this.#params;
    const found = data ? grid.colours.of(data, this.field) : null;
    paintRule(eGridCell, found);
    setData(eGridCell, "ruleSign", found && data && this.#hasSign(data) ? "" : undefined);
    if (found) setData(this.#root, "sign", ruleSigns[found.colour]);
  }

  #hasSign(data: RecordView): boolean {
    return this.#params.grid.colours.hasSign(data, this.field);
  }

  /** The rule that colours the cell, for those who can't see its colour. */
  #ruleLabel(data: RecordView | undefined): string | null {
    const found =
      data && this.#hasSign(data) ? this.#params.grid.colours.of(data, this.field) : null;
    return found?.label ?? null;
  }

  /** Whether a cell of this column, or of one beside it, is selected. */
  #isInRange(
    record: string | null,
    columns: number,
    parts = this.#params.grid.range.parts,
  ): boolean {
    const { grid } = this.#params;
    const field = grid.columns[grid.columns.indexOf(this.field) + columns];
    return record !== null && field !== undefined && grid.range.has(record, field, parts);
  }

  paintPresence(): void {
    const { grid, eGridCell } = this.#params;
    const presentUsers = this.#record === null ? [] : grid.presence.usersOn(this.#record);
    paintFrame(
      eGridCell,
      presentUsers.filter((user: PresenceUser) => user.field === this.field),
    );
    const isFramed = ({ field }: PresenceUser) => field != null && grid.columns.includes(field);
    setRowData(eGridCell, "framed", presentUsers.some(isFramed));
  }

  /** Highlights the cell as just changed, in its author's colour. */
  flash(colour: string): void {
    flashElement(this.#params.eGridCell, colour);
  }

  #isNeeded({ values }: RecordView): boolean {
    const { grid, field } = this.#params;
    return neededFields(grid.table, values).some(({ name }) => name === field.name);
  }

  /** The user's own new records are pinned above the rows until the next realignment. */
  #rowLabel(data: RecordView): string | null {
    const { grid, node } = this.#params;
    const own = rowLabel(data) ?? (node.rowPinned ? messages.rowNew() : null);
    if (own !== null) return own;
    const field = foundInHidden(grid, data);
    return field && messages.foundIn({ field });
  }

  /**
   * The row label is in the second column, because the first one identifies the record. A deleted record has no values left: its label is in
   * the first column, which stays visible when the others are scrolled.
   */
  #hasRoomForLabel({ mark }: RecordView): boolean {
    const [first, second = first] = this.#params.grid.columns;
    return (mark === "deleted" ? first : second) === this.field;
  }

  #tooltip(): string | null {
    const { data, field } = this.#params;
    const value = data?.values[field.name];
    const kind = kindOfType[field.type];
    // Values that may be wider than the cell.
    if (value != null && (isNumeric(kind) || kind === "list")) return formatValue(field, value);
    return typeof value === "string" && kind === "timestamp" ? formatExact(value) : null;
  }
}

function isProblem(kind: string | undefined): boolean {
  return kind === "conflict" || kind === "rejected";
}

/**
 * Paints a coloured frame with the name of the user in a cell, marked while they type. Of several users, the first one is
 * named and the others are counted.
 */
function paintFrame(cell: HTMLElement, presentUsers: readonly PresenceUser[]): void {
  const frame = cell.querySelector(":scope > .wf-frame");
  const [first, ...others] = presentUsers;
  cell.classList.toggle("wf-framed", first !== undefined);
  if (!first) {
    frame?.remove();
    return;
  }
  const editing = presentUsers.some((user) => user.mode === "editing");
  const users = others.length > 0 ? `${first.name} +${others.length}` : first.name;
  const label = editing ? messages.editing({ users }) : users;
  const made = frame instanceof HTMLElement ? frame : makeFrame(cell);
  made.style.setProperty("--wf-author", userColour(first.colour));
  made.classList.toggle("wf-editing", editing);
  const name = made.firstElementChild;
  if (name && name.textContent !== label) name.textContent = label;
}

function makeFrame(cell: HTMLElement): HTMLElement {
  const made = document.createElement("span");
  made.className = "wf-frame";
  const name = document.createElement("span");
  name.className = "wf-frame-name";
  made.append(name);
  cell.append(made);
  return made;
}
