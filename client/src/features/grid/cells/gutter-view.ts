import type { ICellRendererComp, ICellRendererParams } from "ag-grid-community";
import type { RecordView } from "../../../state/record-view.ts";
import { initialsOf } from "../../../ui/fields/initials.ts";
import { personColour } from "../../../ui/person-colour.ts";
import type { Desk } from "../desk.ts";

type Params = ICellRendererParams<RecordView> & { desk: Desk };

const AVATARS_SHOWN = 2;

/** The narrow cell before each record: who is on it, and the button that opens it. */
export class GutterView implements ICellRendererComp<RecordView> {
  #params!: Params;
  #stop: (() => void) | null = null;
  readonly #root = document.createElement("span");
  readonly #people = document.createElement("span");
  readonly #open = document.createElement("button");

  init(params: Params): void {
    this.#root.className = "wf-gutter";
    this.#people.className = "wf-gutter-people";
    this.#open.className = "wf-open";
    this.#open.type = "button";
    this.#open.tabIndex = -1;
    this.#open.addEventListener("click", () => {
      const record = this.#params.data?.id;
      if (record !== undefined) params.desk.actions.openRecord(record);
    });
    this.#root.append(this.#people, this.#open);
    this.#params = params;
    this.#stop = params.desk.people.onMoved(() => this.#paint());
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
    const { data, desk } = this.#params;
    this.#open.hidden = !data;
    this.#open.setAttribute("aria-label", `Open ${desk.table.recordLabel} ${data?.id ?? ""}`);
    this.#open.title = "Open the record (Alt+Enter)";
    const people = data ? desk.people.onRecord(data.id) : [];
    const key = people.map((person) => person.connection).join();
    if (this.#people.dataset.key === key) return;
    this.#people.dataset.key = key;
    const others = people.length - AVATARS_SHOWN;
    this.#people.replaceChildren(
      ...people.slice(0, AVATARS_SHOWN).map(({ name, colour }) => avatar(name, colour)),
      ...(others > 0 ? [document.createTextNode(`+${others}`)] : []),
    );
  }
}

function avatar(name: string, colour: string): HTMLElement {
  const made = document.createElement("span");
  made.className = "wf-here";
  made.textContent = initialsOf(name);
  made.title = `${name} is here`;
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", `${name} is here`);
  made.style.setProperty("--wf-person", personColour(colour));
  return made;
}
