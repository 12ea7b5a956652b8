import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { Flash } from "../../../sync/records/flash.ts";
import { formatList } from "../../../ui/numbers.ts";

/** Describes changes of other users, for screen readers; null if there are none. */
export function describeFlashes(
  flashes: readonly Flash[],
  labelOf: (field: string) => string,
): string | null {
  const others = flashes.filter((flash) => !flash.mine);
  const [first] = others;
  if (!first) return null;
  const names = [...new Set(others.map((flash) => flash.by.name))];
  const records = new Set(others.map((flash) => flash.record));
  if (records.size > 1) {
    return messages.changedRecords({ authors: joinNames(names), count: records.size });
  }
  const fields = [...new Set(others.map((flash) => labelOf(flash.field)))];
  return messages.changedFields({
    authors: joinNames(names),
    fields: joinNames(fields),
    record: first.record,
  });
}

/** Names at most two and counts the rest. */
function joinNames(parts: readonly string[]): string {
  const more = parts.length - 2;
  return formatList(more > 0 ? [...parts.slice(0, 2), messages.more({ count: more })] : parts);
}
