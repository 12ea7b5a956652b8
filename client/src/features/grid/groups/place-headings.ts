import type { Json } from "../../../../../shared/filter/filter.ts";

/** The heading of a group: it is drawn before the row `start` of the list, also if the group has no rows there. */
export interface Heading {
  key: Json;
  start: number;
}

/** Compares the keys of groups as the view orders its rows. */
export type KeyOrder = (a: Json, b: Json) => number;

/** Where groups begin by the number of rows that each has in the row list. */
export function estimateHeadings(
  groups: readonly { key: Json; rows: number }[],
  compare: KeyOrder,
): Heading[] {
  let start = 0;
  return groups
    .toSorted((a, b) => compare(a.key, b.key))
    .map(({ key, rows }) => {
      const heading = { key, start };
      start += rows;
      return heading;
    });
}

/**
 * Corrects the headings by rows that are loaded: those from `first` on, by the keys of their groups. A group that was not
 * counted gets a heading as well, in its place by the order. Rows without a key, and single ones between rows of another
 * group, have changed since they were ordered: they prove nothing.
 */
export function alignHeadings(
  headings: readonly Heading[],
  first: number,
  keys: readonly (Json | undefined)[],
  compare: KeyOrder,
): Heading[] {
  const next = withUncounted(headings, first, keys, compare);
  const ranks = new Map(next.map(({ key }, rank) => [JSON.stringify(key), rank]));
  const known = keys.flatMap((key, offset) =>
    key === undefined ? [] : [{ row: first + offset, rank: ranks.get(JSON.stringify(key)) ?? 0 }],
  );
  let reached = 0;
  for (const [index, { row, rank }] of known.entries()) {
    const following = known[index + 1]?.rank ?? rank;
    if (rank < reached || rank > following) continue;
    const isFirst = rank > reached || index === 0;
    const isLast = rank < following || index === known.length - 1;
    reached = rank;
    for (const [other, heading] of isFirst || isLast ? next.entries() : []) {
      if (other <= rank) heading.start = Math.min(heading.start, row);
      else heading.start = Math.max(heading.start, row + 1);
    }
  }
  return next;
}

/** A copy of the headings, and one for each key that has none, at its first row as far as its neighbours allow. */
function withUncounted(
  headings: readonly Heading[],
  first: number,
  keys: readonly (Json | undefined)[],
  compare: KeyOrder,
): Heading[] {
  const next = headings.map((heading) => ({ ...heading }));
  const seen = new Set(next.map(({ key }) => JSON.stringify(key)));
  for (const [offset, key] of keys.entries()) {
    if (key === undefined || seen.has(JSON.stringify(key))) continue;
    seen.add(JSON.stringify(key));
    const place = countWhile(next, (heading) => compare(heading.key, key) < 0);
    const least = next[place - 1]?.start ?? 0;
    const most = next[place]?.start ?? Number.POSITIVE_INFINITY;
    next.splice(place, 0, { key, start: Math.min(most, Math.max(least, first + offset)) });
  }
  return next;
}

/** A row of the grid that is no record: it is drawn before the row `start` of the list. */
export type ExtraRow = Heading & {
  kind: "heading" | "new";
};

/** Which extra row, wherever it is drawn. */
export type ExtraPlace = Pick<ExtraRow, "kind" | "key">;

/** The headings, and after each group that new records can begin in, a row for that. */
export function withNewRows(
  headings: readonly Heading[],
  canAdd: (key: Json) => boolean,
): ExtraRow[] {
  return headings.flatMap(({ key, start }, place) => {
    const end = headings[place + 1]?.start ?? Number.POSITIVE_INFINITY;
    const heading: ExtraRow = { kind: "heading", key, start };
    return canAdd(key) ? [heading, { kind: "new", key, start: end }] : [heading];
  });
}

/** How many of the rows, which are ordered, pass the test: it holds for the first ones only. */
function countWhile(
  extras: readonly Heading[],
  test: (row: Heading, place: number) => boolean,
): number {
  let [low, high] = [0, extras.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = extras[middle];
    if (row && test(row, middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index in the grid of a row of the list. */
export function indexOfRow(extras: readonly Heading[], row: number): number {
  return row + countWhile(extras, ({ start }) => start <= row);
}

/** The heading above a row of the list. */
export function headingOfRow(headings: readonly Heading[], row: number): Heading | undefined {
  return headings[countWhile(headings, ({ start }) => start <= row) - 1];
}

/** The row of the list at an index; at an extra row, the one that follows. */
export function rowAtIndex(extras: readonly Heading[], index: number): number {
  return index - countWhile(extras, ({ start }, place) => start + place < index);
}

/** The extra row at an index, if there is one. `end` is the number of rows of the list. */
export function extraAt<Row extends Heading>(
  extras: readonly Row[],
  index: number,
  end: number,
): Row | undefined {
  const place = countWhile(extras, ({ start }, at) => Math.min(start, end) + at < index);
  const row = extras[place];
  return row && Math.min(row.start, end) + place === index ? row : undefined;
}
