import { compareCodePoints } from "./code-points.ts";

/**
 * How an order compares texts: as the language of the installation has them, numbers by their value, and what is equal in that by code
 * points. This is the collation by which Postgres orders (server/store/text-order.ts), as far as this runtime's version of Unicode and of
 * the language is that of Postgres. Where they differ, the order of Postgres is final and this one provisional. Null: the database has no
 * ICU, and orders by code points. Only orders use it: comparisons, uniqueness and filters of text use code points.
 */
export type TextOrder = string | null;

/** The language of an installation whose operator has chosen none: the order that Unicode gives all languages. */
export const DEFAULT_LANGUAGE = "en";

type CompareTexts = (a: string, b: string) => number;
const comparers = new Map<string, CompareTexts>();

/** The comparison of two texts in an order. */
export function compareTexts(order: TextOrder): CompareTexts {
  if (order === null) return compareCodePoints;
  const known = comparers.get(order);
  if (known) return known;
  const collator = new Intl.Collator(order, { numeric: true });
  const compare: CompareTexts = (a, b) => collator.compare(a, b) || compareCodePoints(a, b);
  comparers.set(order, compare);
  return compare;
}
