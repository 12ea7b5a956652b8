import type { IHeaderComp, IHeaderParams } from "ag-grid-community";
import type { Field } from "../../../../../shared/model/model.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { RecordView } from "../../../state/record-view.ts";
import type { GridController } from "../grid-controller.ts";

type Params = IHeaderParams<RecordView> & { grid: GridController; field: Field };

/**
 * A column's header: its label, an arrow for its sort order, and a button for its menu. The view sorts, so a click only
 * changes the view.
 */
export class HeaderView implements IHeaderComp {
  #params!: Params;
  readonly #root = document.createElement("div");
  readonly #label = document.createElement("span");
  readonly #arrow = document.createElement("span");
  readonly #menu = document.createElement("button");
  #stop = () => {};

  init(params: Params): void {
    this.#params = params;
    this.#root.className = "wf-header";
    this.#label.className = "wf-header-label";
    this.#arrow.className = "wf-header-arrow";
    this.#arrow.setAttribute("aria-hidden", "true");
    this.#menu.className = "wf-header-menu";
    this.#menu.type = "button";
    this.#menu.tabIndex = -1;
    this.#menu.textContent = "⋮";
    this.#root.append(this.#label, this.#arrow, this.#menu);
    this.#listen(params);
    this.#paint();
    // A new sort order reloads the rows.
    this.#stop = params.grid.window.onRows(({ kind }) => kind === "reset" && this.#paint());
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
    this.#root.addEventListener("click", (event) =>
      grid.actions.sortBy(field.name, event.shiftKey),
    );
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
        grid.actions.sortBy(field.name, event.shiftKey);
      }
    });
  }

  #paint(): void {
    const { grid, field, eGridHeader } = this.#params;
    const place = grid.window.view.sort.findIndex((key) => key.replace("-", "") === field.name);
    const key = grid.window.view.sort[place];
    const descending = key?.startsWith("-") ?? false;
    this.#label.textContent = field.label;
    this.#menu.setAttribute("aria-label", messages.columnMenu({ field: field.label }));
    const rank = grid.window.view.sort.length > 1 ? String(place + 1) : "";
    this.#arrow.textContent = key ? `${descending ? "↓" : "↑"}${rank}` : "";
    eGridHeader.setAttribute("aria-sort", key ? (descending ? "descending" : "ascending") : "none");
  }
}
