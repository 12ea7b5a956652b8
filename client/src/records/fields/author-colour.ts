import type { Author } from "../../../../shared/protocol/record.ts";
import { userColour } from "../../ui/user-colour.ts";
import type { LookUp } from "./look-up.ts";
import { userField } from "./user-field.ts";

const HUES = 360;

/**
 * The colour that highlights an author's change: the one given (of a user who is present), else the user's own as far as it is loaded, else one derived from
 * their id.
 */
export function authorColour(labels: LookUp, by: Author, present?: string): string {
  if (by.kind !== "user") return "var(--wf-warn)";
  const colour = present ?? labels.get(userField, by.id)?.colour;
  return colour ? userColour(colour) : `hsl(${hueOf(by.id)} 65% 48%)`;
}

function hueOf(id: string): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % HUES;
  return hash;
}
