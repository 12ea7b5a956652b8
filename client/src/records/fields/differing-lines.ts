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
  const { above, below } = equalEnds(from, to);
  const part = (lines: string[]) => lines.slice(above, lines.length - below);
  return { before: part(from), after: part(to), above, below };
}

/** A text in three parts: what it begins with like another one, the words that differ, and what it ends with like the other one. */
export function differingWords(before: string, after: string): [string, string, string] {
  // With the spaces between them, so that nothing of the text is lost.
  const [from, to] = [before, after].map((text) => text.split(/(?<=\s)(?=\S)|(?<=\S)(?=\s)/));
  const words = to ?? [];
  const { above, below } = equalEnds(from ?? [], words);
  const end = words.length - below;
  return [words.slice(0, above), words.slice(above, end), words.slice(end)].map((part) =>
    part.join(""),
  ) as [string, string, string];
}

function equalEnds(from: readonly string[], to: readonly string[]) {
  const shorter = Math.min(from.length, to.length);
  let above = 0;
  while (above < shorter && from[above] === to[above]) above += 1;
  let below = 0;
  while (below < shorter - above && from.at(-1 - below) === to.at(-1 - below)) below += 1;
  return { above, below };
}
