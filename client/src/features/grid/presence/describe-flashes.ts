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
  if (records.size > 1) return `${joinNames(names)} changed ${records.size} records.`;
  const fields = [...new Set(others.map((flash) => labelOf(flash.field)))];
  return `${joinNames(names)} changed ${joinNames(fields)} of ${first.record}.`;
}

/** At most two are named; the rest is a number. */
function joinNames(parts: readonly string[]): string {
  if (parts.length <= 2) return parts.join(" and ");
  return `${parts.slice(0, 2).join(", ")} and ${parts.length - 2} more`;
}
