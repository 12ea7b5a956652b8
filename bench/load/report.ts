/** One line of a bench: the floor, the product, and whether its target was met in this run. */
export interface Finding {
  what: string;
  floor: number;
  product: number;
  unit: string;
  /** What is compared, if it is not the floor and the product. */
  names?: readonly [string, string];
  /** The ratio product : floor to reach. `notYet`: known to be missed, so missing it is not a regression. */
  target: (({ most: number } | { least: number }) & { notYet?: boolean }) | null;
}

/** A target is lost only if it is missed by more than this factor: repeated runs differ by as much. */
const NOISE = 1.25;

/** The result of a target: `lost` is a target that was met until now and is missed by more than noise. */
export type Verdict = "none" | "met" | "missed" | "lost";

const formatNumber = (value: number) => value.toFixed(value >= 100 ? 0 : value >= 1 ? 1 : 2);

/** Whether a finding meets its target, and by which factor (> 1) it misses it; without a value it is lost. */
export function verdictOf({ floor, product, target }: Finding): { verdict: Verdict; off: number } {
  if (!target) return { verdict: "none", off: 1 };
  const ratio = product / floor;
  const off = "most" in target ? ratio / target.most : target.least / ratio;
  if (off <= 1) return { verdict: "met", off };
  return { verdict: target.notYet || off <= NOISE ? "missed" : "lost", off };
}

/** Prints the lines of a bench. */
export function printFindings(findings: readonly Finding[]): void {
  for (const finding of findings) {
    const { what, floor, product, unit, names = ["floor", "product"] } = finding;
    const both = `${names[0]} ${formatNumber(floor)} ${unit}, ${names[1]} ${formatNumber(product)} ${unit}`;
    const ratio = (product / floor).toFixed(2);
    console.log(`  ${what.padEnd(46)} ${both.padEnd(46)} ${ratio} ×  ${describeFinding(finding)}`);
  }
}

function describeFinding(finding: Finding): string {
  const { target } = finding;
  const { verdict, off } = verdictOf(finding);
  if (!target) return "";
  const bound = "most" in target ? `≤ ${target.most}` : `≥ ${target.least}`;
  if (verdict === "met") return `target ${bound} ×: met`;
  const known = target.notYet ? ", as before" : "";
  return `target ${bound} ×: ${verdict} by ${off.toFixed(2)} ×${known}`;
}
