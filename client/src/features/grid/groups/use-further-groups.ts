import { useEffect, useMemo, useState } from "react";
import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import type { Json } from "../../../../../shared/filter/filter.ts";
import type { SummaryRow } from "../../../../../shared/protocol/summary.ts";
import type { SummaryQuery } from "../../../sync/calls/summary.ts";
import type { GridController } from "../grid-controller.ts";
import { useViewSummary } from "../summary/use-view-summary.ts";
import { membersFilter } from "./group-filter.ts";
import type { FurtherGroups } from "./group-rows.ts";
import type { Groups } from "./use-groups.ts";

/**
 * Counts the groups on the screen that are not among the `counted` ones of a view with too many groups, by a query of
 * their own. `counted` is null where all groups are counted.
 */
export function useFurtherGroups(
  grid: GridController,
  query: SummaryQuery,
  { field, grouping, zone }: Groups,
  counted: readonly SummaryRow[] | null,
): { further: FurtherGroups | null; refusal: ReturnType<typeof useViewSummary>["refusal"] } {
  const keys = useUncountedKeys(grid, counted);
  const members = membersFilter(field, grouping, keys, zone);
  const filter = query.filter ? { and: [query.filter, members] } : members;
  const isNeeded = counted !== null && keys.length > 0;
  const { result, isExact, refusal } = useViewSummary(grid, isNeeded ? { ...query, filter } : null);
  const isOfKeys = isNeeded && deepEqual(result?.query.filter, filter);
  const isOfGrouping = deepEqual(result?.query.group, query.group);
  const rows = isNeeded && isOfGrouping ? result?.summary.rows : undefined;
  const further = useMemo(
    () => (counted ? { keys: isOfKeys ? keys : [], rows: rows ?? [], isExact } : null),
    [counted, keys, isOfKeys, rows, isExact],
  );
  return { further, refusal };
}

/** The groups whose headings are drawn, without those that are counted; the same array until there is another one. */
function useUncountedKeys(
  grid: GridController,
  counted: readonly SummaryRow[] | null,
): readonly Json[] {
  const [keys, setKeys] = useState<readonly Json[]>([]);
  useEffect(() => {
    if (!counted) return;
    const known = new Set(counted.map(({ key }) => JSON.stringify(key)));
    const read = () => {
      const drawn = grid.groups.drawnKeys.filter((key) => !known.has(JSON.stringify(key)));
      setKeys((before) => {
        const isKnown = drawn.every((key) => before.some((one) => deepEqual(one, key)));
        return isKnown ? before : drawn;
      });
    };
    const stop = grid.groups.onChange(read);
    grid.api.addEventListener("viewportChanged", read);
    read();
    return () => {
      stop();
      if (!grid.api.isDestroyed()) grid.api.removeEventListener("viewportChanged", read);
    };
  }, [grid, counted]);
  return keys;
}
