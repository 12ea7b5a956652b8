import type { Flash } from "../../../sync/records/flash.ts";

/** One sentence about what others have just changed, for screen readers; null where it was all mine. */
export function describeFlashes(
  flashes: readonly Flash[],
  labelOf: (field: string) => string,
): string | null {
  const others = flashes.filter((flash) => !flash.mine);
  const [first] = others;
  if (!first) return null;
  const names = [...new Set(others.map((flash) => flash.by.name))];
  const records = new Set(others.map((flash) => flash.record));
  if (records.size > 1) return `${joined(names)} changed ${records.size} records.`;
  const fields = [...new Set(others.map((flash) => labelOf(flash.field)))];
  return `${joined(names)} changed ${joined(fields)} of ${first.record}.`;
}

/** At most two are named; the rest is a number. */
function joined(words: readonly string[]): string {
  if (words.length <= 2) return words.join(" and ");
  return `${words.slice(0, 2).join(", ")} and ${words.length - 2} more`;
}
