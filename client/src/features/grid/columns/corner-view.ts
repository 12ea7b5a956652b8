import type { IHeaderComp, IHeaderParams } from "ag-grid-community";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { RecordView } from "../../../state/record-view.ts";
import type { GridController } from "../grid-controller.ts";
import { selectAll } from "../keys/select-lines.ts";

type Params = IHeaderParams<RecordView> & { grid: GridController };

/** The header above the numbers of the rows, as in a spreadsheet: it selects all cells. */
export class CornerView implements IHeaderComp {
  readonly #button = document.createElement("button");

  init({ grid }: Params): void {
    this.#button.className = "wf-corner";
    this.#button.type = "button";
    this.#button.tabIndex = -1;
    this.#button.textContent = "#";
    this.#button.title = messages.selectAll();
    this.#button.setAttribute("aria-label", messages.selectAll());
    this.#button.addEventListener("click", () => selectAll(grid));
  }

  getGui(): HTMLElement {
    return this.#button;
  }

  refresh(): boolean {
    return true;
  }
}
