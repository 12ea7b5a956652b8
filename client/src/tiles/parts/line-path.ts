/** Paths in a drawing of 100 × 100, which is stretched to the tile. */

export interface Range {
  low: number;
  high: number;
}

/** The range from zero, or below, to a round number above the highest value; never empty. */
export function rangeOf(
  values: readonly (number | null)[],
  include: readonly number[] = [],
): Range {
  const known = [...values.filter((value) => value !== null), ...include];
  const low = Math.min(0, ...known);
  const high = Math.max(0, ...known);
  if (low === high) return { low, high: low + 1 };
  return { low: low < 0 ? -niceAbove(-low) : 0, high: high > 0 ? niceAbove(high) : 0 };
}

const STEPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The next round number. */
export function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = STEPS.find((one) => one * power >= value * (1 - 1e-9)) ?? 10;
  return step * power;
}

/** The vertical position of a value in the drawing, 0 at the top. */
export function heightOf(value: number, { low, high }: Range): number {
  return round(100 - ((value - low) / (high - low)) * 100);
}

/** A line through the points, with gaps for missing values. A single point is a short dash. */
export function linePath(values: readonly (number | null)[], range: Range): string {
  const step = values.length > 1 ? 100 / (values.length - 1) : 0;
  let path = "";
  let isDrawing = false;
  for (const [index, value] of values.entries()) {
    if (value === null) {
      isDrawing = false;
      continue;
    }
    path += `${isDrawing ? "L" : "M"}${round(index * step)} ${heightOf(value, range)}`;
    if (!isDrawing && (values[index + 1] ?? null) === null) path += "h0.4";
    isDrawing = true;
  }
  return path;
}

/** The area between the line and zero, piece by piece. */
export function areaPath(values: readonly (number | null)[], range: Range): string {
  const step = values.length > 1 ? 100 / (values.length - 1) : 0;
  const floor = heightOf(Math.max(range.low, 0), range);
  let path = "";
  let last: number | null = null;
  for (const [index, value] of [...values, null].entries()) {
    const x = round(index * step);
    if (value === null) {
      if (last !== null) path += `L${last} ${floor}Z`;
      last = null;
      continue;
    }
    path += last === null ? `M${x} ${floor}L${x} ${heightOf(value, range)}` : "";
    if (last !== null) path += `L${x} ${heightOf(value, range)}`;
    last = x;
  }
  return path;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
