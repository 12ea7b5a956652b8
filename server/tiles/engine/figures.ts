import { compareCodePoints } from "../../../shared/filter/code-points.ts";
import { compareDecimals, readDecimal } from "../../../shared/filter/decimal.ts";
import type { Json } from "../../../shared/filter/filter.ts";
import type { MeasureForm } from "../plan/scene-plan.ts";
import { averageToText, unitsToJson } from "./exact.ts";
import type { Figure } from "./tally.ts";

/** Arithmetic on figures: what they come to together, in what order they stand, which are too small. */

/** Several groups as one. Only of counts, sums and averages is anything known of the whole. */
export function joinFigures(figures: readonly Figure[]): Figure {
  const [first] = figures;
  if (first && figures.length === 1) return first;
  const joined: Figure = {
    key: first?.key ?? null,
    bucket: null,
    n: 0,
    filled: 0,
    units: 0n,
    value: null,
  };
  for (const { n, filled, units } of figures) {
    joined.n += n;
    joined.filled += filled;
    joined.units += units;
  }
  return joined;
}

/** The measure in the form of the wire; null where there is nothing to measure. */
export function figureValue(figure: Figure, { op, scale, isWhole }: MeasureForm): Json {
  switch (op) {
    case "count":
      return figure.n;
    case "sum":
      return figure.filled > 0 ? unitsToJson(figure.units, scale, isWhole) : null;
    case "avg":
      return figure.filled > 0 ? averageToText(figure.units, scale, figure.filled) : null;
    case "distinct":
      return figure.value ?? 0;
    default:
      return figure.value;
  }
}

/**
 * By `value`, `key` (options in their own order, else by what they are called) or `n`, `-` for
 * descending; the largest first unless told. Ties by key, so that rows don't dance.
 */
export function orderFigures(
  figures: readonly Figure[],
  order: readonly string[],
  form: MeasureForm,
  label: (key: Json) => string,
  options: readonly string[] = [],
): Figure[] {
  const terms = order.length > 0 ? order : ["-value"];
  const place = new Map(options.map((key, index) => [key, index]));
  const compareKeys = (a: Figure, b: Figure) => {
    const [left, right] = [place.get(String(a.key)), place.get(String(b.key))];
    if (left !== undefined && right !== undefined) return left - right;
    if ((a.key === null) !== (b.key === null)) return a.key === null ? 1 : -1;
    return compareCodePoints(label(a.key), label(b.key)) || byKey(a, b);
  };
  const steps = terms.map((term) => {
    const sign = term.startsWith("-") ? -1 : 1;
    const by = term.replace(/^-/, "");
    if (by === "n") return (a: Figure, b: Figure) => sign * (a.n - b.n);
    if (by === "key") return (a: Figure, b: Figure) => sign * compareKeys(a, b);
    return (a: Figure, b: Figure) =>
      sign * compareValues(figureValue(a, form), figureValue(b, form));
  });
  return [...figures].sort((a, b) => {
    for (const step of steps) {
      const found = step(a, b);
      if (found !== 0) return found;
    }
    return compareKeys(a, b);
  });
}

/** The same order whatever came first: else two looks at the same figures would differ. */
function byKey(a: Figure, b: Figure): number {
  return compareCodePoints(JSON.stringify(a.key), JSON.stringify(b.key));
}

/** Numbers, exact ones as text, and moments; what has no value is below everything. */
function compareValues(a: Json, b: Json): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left !== null && right !== null) return compareDecimals(left, right);
  return compareCodePoints(String(a), String(b));
}

function numberOf(value: Json) {
  return typeof value === "number" || typeof value === "string" ? readDecimal(value) : null;
}

/**
 * Groups of fewer than `least` records are told only joined; and joined until they are that many, lest
 * the total betray the one that is left out. Empty groups tell of nobody. `others` were joined before.
 */
export function suppress(
  figures: readonly Figure[],
  least: number,
  others: readonly Figure[] = [],
) {
  const isSmall = ({ n }: Figure) => n > 0 && n < least;
  const joined = [...others, ...figures.filter(isSmall)];
  const told = figures
    .filter((figure) => !isSmall(figure))
    .sort((a, b) => a.n - b.n || byKey(a, b));
  while (joined.length > 0 && joinFigures(joined).n < least) {
    const next = told.findIndex(({ n }) => n > 0);
    if (next < 0) break;
    joined.push(...told.splice(next, 1));
  }
  return { told, joined };
}
