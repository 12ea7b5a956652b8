import type { ICellRendererComp, ICellRendererParams } from "ag-grid-community";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { RecordView } from "../../../state/record-view.ts";
import type { GridController } from "../grid-controller.ts";
import { paintAvatars } from "./paint-avatars.ts";
import { setAttribute, setText } from "./set-element.ts";

type Params = ICellRendererParams<RecordView> & { grid: GridController };

/** The narrow cell before each record: its row, or the users on it, unread comments, and the button that opens it. */
export class GutterView implements ICellRendererComp<RecordView> {
  #params!: Params;
  #stops: (() => void)[] = [];
  readonly #root = document.createElement("span");
  readonly #unread = document.createElement("span");
  readonly #avatars = document.createElement("span");
  readonly #number = document.createElement("span");
  readonly #open = document.createElement("button");

  init(params: Params): void {
    this.#root.className = "wf-gutter";
    params.eGridCell.classList.add("wf-gutter-cell");
    this.#avatars.className = "wf-gutter-users";
    this.#open.className = "wf-open";
    this.#open.type = "button";
    this.#open.tabIndex = -1;
    this.#open.addEventListener("click", () => {
      const record = this.#params.data?.id;
      if (record !== undefined) params.grid.actions.openRecord(record);
    });
    this.#unread.className = "wf-unread";
    this.#unread.setAttribute("role", "img");
    this.#number.className = "wf-row-number";
    this.#number.setAttribute("aria-hidden", "true");
    this.#root.append(this.#unread, this.#number, this.#avatars, this.#open);
    this.#params = params;
    const { presence, unread } = params.grid;
    const { node } = params;
    const renumber = () => this.#paintNumber();
    node.addEventListener("rowIndexChanged", renumber);
    this.#stops = [
      () => node.removeEventListener("rowIndexChanged", renumber),
      presence.onChange(() => this.#paint()),
      unread.onChange(() => this.#paint()),
    ];
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
    for (const stop of this.#stops) stop();
  }

  #paint(): void {
    const { data, grid } = this.#params;
    setAttribute(this.#open, "hidden", data ? null : "");
    const name = messages.openRecordOf({ record: grid.table.recordLabel, id: data?.id ?? "" });
    setAttribute(this.#open, "aria-label", name);
    setAttribute(this.#open, "title", messages.openRecord());
    const unread = data ? grid.unread.of(data.id) : 0;
    const label = unread > 0 ? messages.cardUnread({ count: unread }) : "";
    setAttribute(this.#unread, "hidden", unread === 0 ? "" : null);
    setAttribute(this.#unread, "title", label);
    setAttribute(this.#unread, "aria-label", label);
    const users = data ? grid.presence.usersOn(data.id) : [];
    paintAvatars(this.#avatars, users);
    setAttribute(this.#number, "hidden", users.length > 0 || unread > 0 ? "" : null);
    this.#paintNumber();
  }

  /** New records above the rows have none. */
  #paintNumber(): void {
    const { data, node, grid } = this.#params;
    const isRow = data && !node.rowPinned && node.rowIndex !== null;
    setText(this.#number, isRow ? String(grid.groups.rowAtIndex(node.rowIndex ?? 0) + 1) : "");
  }
}
