import type { LiveQuery } from "./live-query.ts";
import type { Arrival } from "./separate-reads.ts";

/**
 * A tile that hides values is composed of parts of one position only. Where its table changes all the time, parts that are
 * read one by one would never be: they are read together, and composed of what was read.
 */

/** The other parts of tiles that hide values. */
export function partsBeside(
  { key, wallboardQueries }: LiveQuery,
  all: ReadonlyMap<string, LiveQuery>,
): LiveQuery[] {
  const keys = [...wallboardQueries].flatMap((one) => one.partsBeside(key));
  return [...new Set(keys)].flatMap((beside) => all.get(beside) ?? []);
}

/** No part is read before all of them may be read again. */
export function delayTogether(parts: readonly LiveQuery[]): void {
  const notBefore = Math.max(...parts.map((part) => part.notBefore));
  for (const part of parts) part.notBefore = notBefore;
}

/** Passes on what was read in one snapshot, before the changes since are applied, which may make it stale at once. */
export function storeTogether(arrivals: readonly Arrival[]): void {
  const results = arrivals.filter(({ purpose }) => purpose === "answer");
  for (const together of Map.groupBy(results, ({ collected }) => collected).values()) {
    const read = new Map(together.map((arrival) => [arrival.live.key, arrival]));
    const subscribers = together.flatMap(({ live }) => [...live.wallboardQueries]);
    for (const subscriber of new Set(subscribers)) subscriber.setReadings(read);
  }
}
