const NAME_MAX_LENGTH = 120;

/** An unused name for a copy: "Floor 2 copy", "Floor 2 copy 2". */
export function nameOfCopy(name: string, boards: readonly { name: string }[]): string {
  const taken = new Set(boards.map((board) => board.name));
  const stem = `${name.replace(/ copy( \d+)?$/, "").slice(0, NAME_MAX_LENGTH - 12)} copy`;
  let copy = stem;
  for (let count = 2; taken.has(copy); count++) copy = `${stem} ${count}`;
  return copy;
}
