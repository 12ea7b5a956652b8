import { foldCase } from "./fold-case.ts";

/**
 * Those whose label contains a part, in any case: first where the label begins with it, then where one of its words does. Otherwise they
 * stay in their order.
 */
export function rankMatches<T>(
  items: readonly T[],
  labelOf: (item: T) => string,
  part: string,
): T[] {
  const needle = foldCase(part.trim());
  const rank = (label: string) => {
    const text = foldCase(label);
    if (text.startsWith(needle)) return 0;
    return text.split(/[\s\p{P}]+/u).some((word) => word.startsWith(needle)) ? 1 : 2;
  };
  return items
    .filter((item) => foldCase(labelOf(item)).includes(needle))
    .map((item) => [item, rank(labelOf(item))] as const)
    .sort(([, a], [, b]) => a - b)
    .map(([item]) => item);
}

/** For shorter texts `includes`, which may compare every part, is fast enough. */
const SHORT_PART = 32;

/** A test whether a text contains a part. Takes linear time, however the part repeats itself (Knuth, Morris, Pratt). */
export function textSearch(part: string): (text: string) => boolean {
  if (part.length <= SHORT_PART) return (text) => text.includes(part);
  // For each length of a match: how much of the part still matches if the next character does not.
  const fallbacks = new Uint32Array(part.length + 1);
  for (let at = 1; at < part.length; at += 1) {
    fallbacks[at + 1] = nextMatched(part, fallbacks, fallbacks[at] ?? 0, part.charCodeAt(at));
  }
  return (text) => {
    let matched = 0;
    for (let at = 0; at < text.length && matched < part.length; at += 1) {
      matched = nextMatched(part, fallbacks, matched, text.charCodeAt(at));
    }
    return matched === part.length;
  };
}

function nextMatched(part: string, fallbacks: Uint32Array, matched: number, code: number): number {
  let count = matched;
  while (count > 0 && part.charCodeAt(count) !== code) count = fallbacks[count] ?? 0;
  return part.charCodeAt(count) === code ? count + 1 : 0;
}
