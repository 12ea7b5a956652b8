/** One line of a bench: the floor, the product, and whether the promise was kept in this run. */
export interface Finding {
  what: string;
  floor: number;
  product: number;
  unit: string;
  /** What stands against what, where it is not the floor and the product. */
  names?: readonly [string, string];
  /** The ratio product : floor that was promised. */
  target: { most: number } | { least: number } | null;
}

const figure = (value: number) => value.toFixed(value >= 100 ? 0 : value >= 1 ? 1 : 2);

/** Prints the lines of a bench; answers how many promises were missed. */
export function printFindings(findings: readonly Finding[]): number {
  let missed = 0;
  for (const { what, floor, product, unit, target, names = ["floor", "product"] } of findings) {
    const ratio = product / floor;
    const { words, isMissed } = verdict(ratio, target);
    if (isMissed) missed += 1;
    const both = `${names[0]} ${figure(floor)} ${unit}, ${names[1]} ${figure(product)} ${unit}`;
    console.log(`  ${what.padEnd(46)} ${both.padEnd(46)} ${ratio.toFixed(2)} ×  ${words}`);
  }
  return missed;
}

function verdict(ratio: number, target: Finding["target"]): { words: string; isMissed: boolean } {
  if (!target) return { words: "", isMissed: false };
  const isMost = "most" in target;
  const bound = isMost ? target.most : target.least;
  const isMissed = isMost ? !(ratio <= bound) : !(ratio >= bound);
  const off = isMost ? ratio / bound : bound / ratio;
  const said = `target ${isMost ? "≤" : "≥"} ${bound} ×`;
  return { words: `${said}: ${isMissed ? `missed by ${off.toFixed(2)} ×` : "met"}`, isMissed };
}
