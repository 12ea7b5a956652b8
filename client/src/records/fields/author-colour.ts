import { userColours } from "../../../../shared/model/palette.ts";
import type { Author } from "../../../../shared/protocol/record.ts";
import { userColour } from "../../ui/user-colour.ts";
import type { LookUp } from "./look-up.ts";
import { userField } from "./user-field.ts";

/**
 * The colour that highlights an author's change: the one given (of a user who is present), else the user's own as far as it is loaded, else one derived from
 * their id.
 */
export function authorColour(labels: LookUp, by: Author, present?: string): string {
  if (by.kind !== "user") return "var(--wf-warn)";
  const colour = present ?? labels.get(userField, by.id)?.colour;
  return colour ? userColour(colour) : userColour(colourOf(by.id));
}

function colourOf(id: string): string {
  let place = 0;
  for (const character of id)
    place = (place * 31 + (character.codePointAt(0) ?? 0)) % userColours.length;
  return userColours[place] ?? "gray";
}
