/** The CSS colour of an option's colour name; grey for none. */
export function badgeColour(colour: string | undefined): string {
  const name = /^[a-z]+$/.test(colour ?? "") ? colour : "gray";
  return `var(--mantine-color-${name}-6, var(--mantine-color-gray-6))`;
}
