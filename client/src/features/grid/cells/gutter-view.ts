import type { ICellRendererComp, ICellRendererParams } from "ag-grid-community";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { RecordView } from "../../../state/record-view.ts";
import type { GridController } from "../grid-controller.ts";
import { paintAvatars } from "./paint-avatars.ts";

type Params = ICellRendererParams<RecordView> & { grid: GridController };

/** The narrow cell before each record: the users on it, and the button that opens it. */
export class GutterView implements ICellRendererComp<RecordView> {
  #params!: Params;
  #stop: (() => void) | null = null;
  readonly #root = document.createElement("span");
  readonly #avatars = document.createElement("span");
  readonly #open = document.createElement("button");

  init(params: Params): void {
    this.#root.className = "wf-gutter";
    this.#avatars.className = "wf-gutter-users";
    this.#open.className = "wf-open";
    this.#open.type = "button";
    this.#open.tabIndex = -1;
    this.#open.addEventListener("click", () => {
      const record = this.#params.data?.id;
      if (record !== undefined) params.grid.actions.openRecord(record);
    });
    this.#root.append(this.#avatars, this.#open);
    this.#params = params;
    this.#stop = params.grid.presence.onChange(() => this.#paint());
    this.#paint();
  }

  getGui(): HTMLElement {
    return this.#root;
  }

  refresh(params: Params): boolean {
    this.#params = params;
    this.#paint();
    return true;
  }

  destroy(): void {
    this.#stop?.();
  }

  #paint(): void {
    const { data, grid } = this.#params;
    this.#open.hidden = !data;
    this.#open.setAttribute(
      "aria-label",
      messages.openRecordOf({ record: grid.table.recordLabel, id: data?.id ?? "" }),
    );
    this.#open.title = messages.openRecord();
    paintAvatars(this.#avatars, data ? grid.presence.usersOn(data.id) : []);
  }
}
