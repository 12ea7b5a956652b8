import type { ICellRendererComp, ICellRendererParams } from "ag-grid-community";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { initialsOf } from "../../../ui/fields/initials.ts";
import { userColour } from "../../../ui/user-colour.ts";
import type { GridController } from "../grid-controller.ts";

type Params = ICellRendererParams<RecordView> & { grid: GridController };

const AVATARS_SHOWN = 2;

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
    const presentUsers = data ? grid.presence.usersOn(data.id) : [];
    const key = presentUsers.map((user) => user.connection).join();
    if (this.#avatars.dataset.key === key) return;
    this.#avatars.dataset.key = key;
    const others = presentUsers.length - AVATARS_SHOWN;
    this.#avatars.replaceChildren(
      ...presentUsers.slice(0, AVATARS_SHOWN).map(({ name, colour }) => avatar(name, colour)),
      ...(others > 0 ? [document.createTextNode(`+${others}`)] : []),
    );
  }
}

function avatar(name: string, colour: string): HTMLElement {
  const made = document.createElement("span");
  made.className = "wf-here";
  made.textContent = initialsOf(name);
  made.title = messages.userHere({ user: name });
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", made.title);
  made.style.setProperty("--wf-user-colour", userColour(colour));
  return made;
}
