import type { PresenceUser } from "../../../../../shared/protocol/presence.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { initialsOf } from "../../../ui/initials.ts";
import { userColour } from "../../../ui/user-colour.ts";

const AVATARS_SHOWN = 2;

/** Shows who is on a record: the first users, and how many more. */
export function paintAvatars(into: HTMLElement, presentUsers: readonly PresenceUser[]): void {
  const key = presentUsers.map((user) => user.connection).join();
  if (into.dataset.key === key) return;
  into.dataset.key = key;
  const others = presentUsers.length - AVATARS_SHOWN;
  into.replaceChildren(
    ...presentUsers.slice(0, AVATARS_SHOWN).map(avatar),
    ...(others > 0 ? [document.createTextNode(`+${others}`)] : []),
  );
}

function avatar({ name, colour }: PresenceUser): HTMLElement {
  const made = document.createElement("span");
  made.className = "wf-here";
  made.textContent = initialsOf(name);
  made.title = messages.userHere({ user: name });
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", made.title);
  made.style.setProperty("--wf-user-colour", userColour(colour));
  return made;
}
