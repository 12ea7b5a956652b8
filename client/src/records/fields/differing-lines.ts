/** The lines in which two texts differ, and how many equal lines precede and follow them. */
interface DifferingLines {
  before: string[];
  after: string[];
  above: number;
  below: number;
}

/** Compares two texts from both ends; what lies between the equal lines is returned whole. */
export function differingLines(before: string, after: string): DifferingLines {
  const [from, to] = [before.split("\n"), after.split("\n")];
  const shorter = Math.min(from.length, to.length);
  let above = 0;
  while (above < shorter && from[above] === to[above]) above += 1;
  let below = 0;
  while (below < shorter - above && from.at(-1 - below) === to.at(-1 - below)) below += 1;
  const part = (lines: string[]) => lines.slice(above, lines.length - below);
  return { before: part(from), after: part(to), above, below };
}
