import { useCallback, useMemo, useState } from "react";
import type { Json } from "../../../../../shared/filter/filter.ts";
import { readSortKey } from "../../../../../shared/filter/sort-key.ts";
import { type Field, findField, type Table } from "../../../../../shared/model/model.ts";
import type { Grouping } from "../../../../../shared/model/view/view.ts";
import type { ShownView } from "../../../records/views/view-address.ts";
import { dayZone } from "../../../state/day-zone.ts";
import type { ViewQuery } from "../../../sync/rows/view-query.ts";
import { shownFilter } from "./group-filter.ts";

/** How the rows of a view are grouped, and which groups are hidden. */
export interface Groups {
  grouping: Grouping;
  field: Field;
  /** The zone of days. */
  zone: string;
  isDescending: boolean;
  hidden: readonly Json[];
  /** Hides these groups only. `keys` are all groups. */
  hide(hidden: readonly Json[], keys: readonly Json[]): void;
}

interface Hidden {
  of: string;
  hidden: readonly Json[];
  keys: readonly Json[];
}

/**
 * The rows of a view as a row list reads them: a grouped view is sorted by its group first, without the hidden groups. The
 * groups are rows of no kind, so ranges, the clipboard and the keys work as in any view.
 */
export function useGroups(
  table: Table,
  view: ShownView,
): { query: ViewQuery; groups: Groups | null } {
  const { grouping } = view;
  const field = grouping ? findField(table, grouping.field) : undefined;
  const of = grouping ? `${table.name} ${grouping.field} ${grouping.by ?? ""}` : "";
  const [state, setState] = useState<Hidden>({ of: "", hidden: [], keys: [] });
  const { hidden, keys } = state.of === of ? state : nothingHidden;
  const hide = useCallback(
    (next: readonly Json[], all: readonly Json[]) => setState({ of, hidden: next, keys: all }),
    [of],
  );
  const zone = view.zone ?? dayZone();
  return useMemo(() => {
    if (!grouping || !field) return { query: view, groups: null };
    const first = view.sort.find((key) => readSortKey(key).field === field.name) ?? field.name;
    const rest = view.sort.filter((key) => readSortKey(key).field !== field.name);
    const shown = shownFilter(field, grouping, { keys, hidden }, zone);
    const parts = [view.filter, shown].filter((part) => part !== null);
    const query = {
      ...view,
      sort: [first, ...rest],
      filter: parts.length > 1 ? { and: parts } : (parts[0] ?? null),
    };
    const isDescending = readSortKey(first).descending;
    return { query, groups: { grouping, field, zone, isDescending, hidden, hide } };
  }, [view, grouping, field, zone, keys, hidden, hide]);
}

const nothingHidden = { hidden: [], keys: [] };
