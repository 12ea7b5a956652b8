import type { Field } from "../../../../../shared/model/model.ts";
import type { Author } from "../../../../../shared/protocol/record.ts";
import { personColour } from "../../../ui/person-colour.ts";
import type { Desk } from "../desk.ts";

const HUES = 360;
const anybody: Field = { name: "person", label: "Person", type: "person" };

/** The colour in which an author's change flashes: the person's own, else one that stays the same. */
export function authorColour({ people, labels }: Desk, by: Author): string {
  if (by.kind !== "user") return "var(--wf-warn)";
  const known = people.colourOf(by.id) ?? labels.get(anybody, by.id)?.colour;
  return known ? personColour(known) : `hsl(${hueOf(by.id)} 65% 48%)`;
}

function hueOf(id: string): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % HUES;
  return hash;
}
