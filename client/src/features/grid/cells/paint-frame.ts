import type { PresenceUser } from "../../../../../shared/protocol/presence.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { userColour } from "../../../ui/user-colour.ts";

/**
 * Paints a coloured frame with the name of the user in a cell, marked while they type. Of several users, the first one is
 * named and the others are counted.
 */
export function paintFrame(cell: HTMLElement, presentUsers: readonly PresenceUser[]): void {
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
