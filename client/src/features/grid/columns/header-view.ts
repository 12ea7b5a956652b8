import type { IHeaderComp, IHeaderParams } from "ag-grid-community";
import type { FieldType } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { typeIcons } from "../../../records/fields/type-icon.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { setAttribute } from "../cells/set-element.ts";
import type { GridController } from "../grid-controller.ts";
import { selectColumn } from "../keys/select-lines.ts";

type Params = IHeaderParams<RecordView> & { grid: GridController; field: Field };

/**
 * A column's header: its label, a button that sorts and shows the sort order, and a button for its menu. A click beside
 * them selects the column. The view sorts, so a click only changes the view.
 */
export class HeaderView implements IHeaderComp {
  #params!: Params;
  readonly #root = document.createElement("div");
  readonly #label = document.createElement("span");
  readonly #sort = document.createElement("button");
  readonly #menu = document.createElement("button");
  #stop = () => {};

  init(params: Params): void {
    this.#params = params;
    this.#root.className = "wf-header";
    this.#label.className = "wf-header-label";
    this.#sort.className = "wf-header-sort";
    this.#menu.className = "wf-header-menu";
    for (const button of [this.#sort, this.#menu]) {
      button.type = "button";
      button.tabIndex = -1;
    }
    this.#menu.textContent = "⋮";
    this.#root.append(typeIcon(params.field.type), this.#label, this.#sort, this.#menu);
    this.#listen(params);
    this.#paint();
    // A new sort order reloads the rows.
    this.#stop = params.grid.rowList.onRows(({ kind }) => kind === "reset" && this.#paint());
  }

  destroy(): void {
    this.#stop();
  }

  getGui(): HTMLElement {
    return this.#root;
  }

  refresh(params: Params): boolean {
    this.#params = params;
    this.#paint();
    return true;
  }

  #listen({ grid, field, eGridHeader }: Params): void {
    const select = ({ shiftKey, ctrlKey, metaKey }: MouseEvent | KeyboardEvent) =>
      selectColumn(grid, field.name, { extend: shiftKey, add: ctrlKey || metaKey });
    this.#root.addEventListener("click", select);
    this.#sort.addEventListener("click", (event) => {
      event.stopPropagation();
      grid.actions.sortBy(field.name, event.shiftKey);
    });
    const openMenu = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
      grid.actions.openColumnMenu(field.name, eGridHeader.getBoundingClientRect());
    };
    this.#menu.addEventListener("click", openMenu);
    eGridHeader.addEventListener("contextmenu", openMenu);
    eGridHeader.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.altKey) openMenu(event);
      else if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        if (event.key === "Enter") grid.actions.sortBy(field.name, event.shiftKey);
        else select(event);
      }
    });
  }

  #paint(): void {
    const { grid, field, eGridHeader } = this.#params;
    const { sort } = grid.rowList.shownView;
    const place = sort.findIndex((key) => key.replace("-", "") === field.name);
    const key = sort[place];
    const descending = key?.startsWith("-") ?? false;
    this.#label.textContent = field.label;
    setAttribute(this.#root, "title", field.help ?? null);
    setAttribute(eGridHeader, "aria-description", field.help ?? null);
    this.#menu.setAttribute("aria-label", messages.columnMenu({ field: field.label }));
    const rank = sort.length > 1 ? String(place + 1) : "";
    this.#sort.setAttribute("aria-label", messages.sortBy({ field: field.label }));
    this.#sort.title = messages.sortByHint();
    this.#sort.dataset.arrow = key ? `${descending ? "↓" : "↑"}${rank}` : "↕";
    this.#sort.toggleAttribute("data-sorted", key !== undefined);
    eGridHeader.setAttribute("aria-sort", key ? (descending ? "descending" : "ascending") : "none");
  }
}

/** An icon that says of what type the values of a column are, beside its name. */
function typeIcon(type: FieldType): SVGElement {
  const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  icon.setAttribute("viewBox", "0 0 24 24");
  icon.setAttribute("class", "wf-header-type");
  icon.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", typeIcons[type]);
  icon.append(path);
  return icon;
}
