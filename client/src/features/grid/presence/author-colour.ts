import type { Author } from "../../../../../shared/protocol/record.ts";
import { userField } from "../../../records/fields/user-field.ts";
import { userColour } from "../../../ui/user-colour.ts";
import type { GridController } from "../grid-controller.ts";

const HUES = 360;
/** The colour that highlights an author's change: the user's own, or one derived from their id. */
export function authorColour({ presence, labels }: GridController, by: Author): string {
  if (by.kind !== "user") return "var(--wf-warn)";
  const colour = presence.colourOf(by.id) ?? labels.get(userField, by.id)?.colour;
  return colour ? userColour(colour) : `hsl(${hueOf(by.id)} 65% 48%)`;
}

function hueOf(id: string): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % HUES;
  return hash;
}
