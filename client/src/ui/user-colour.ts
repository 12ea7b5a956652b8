/** The CSS colour of a person: a colour name of the palette, or any colour written out. */
export function userColour(colour: string): string {
  return /^[a-z]+$/.test(colour) ? `var(--mantine-color-${colour}-6)` : colour;
}
