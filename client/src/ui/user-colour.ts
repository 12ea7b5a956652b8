/** The CSS colour of a user: a colour name of the palette, or any CSS colour. */
export function userColour(colour: string): string {
  return /^[a-z]+$/.test(colour) ? `var(--mantine-color-${colour}-6)` : colour;
}
