import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import {
  describeFilter,
  type LabelOf,
  type ValueLabelOf,
} from "../../../../shared/filter/describe.ts";
import { readSortKey } from "../../../../shared/filter/sort-key.ts";
import type { ViewSettings } from "../../../../shared/model/view/view.ts";

/** What one has changed on top of a view, and what that was changed from. */

export type ViewPart = keyof ViewSettings;

export const partNames: Record<ViewPart, string> = {
  filter: "Filter",
  sort: "Order",
  columns: "Columns",
  group: "Grouping",
};

/** The parts of a look that are other ones than the view's; what is not shown here is not said. */
export function changesOf(shown: Partial<ViewSettings>, view: ViewSettings): Partial<ViewSettings> {
  const changed = (Object.keys(shown) as ViewPart[]).filter(
    (part) => shown[part] !== undefined && !deepEqual(shown[part], view[part]),
  );
  return Object.fromEntries(changed.map((part) => [part, shown[part]]));
}

/**
 * What each change was made from: the view as it was when the change began, though others may have saved
 * something else since. What is not changed any more is forgotten.
 */
export function basesOf(
  changes: Partial<ViewSettings>,
  view: ViewSettings,
  before: Partial<ViewSettings>,
): Partial<ViewSettings> {
  const parts = Object.keys(changes) as ViewPart[];
  return Object.fromEntries(
    parts.map((part) => [part, part in before ? before[part] : view[part]]),
  );
}

/** A part of a view in words. */
export function describePart(
  part: ViewPart,
  settings: Partial<ViewSettings>,
  labelOf: LabelOf,
  valueLabelOf: ValueLabelOf,
): string {
  switch (part) {
    case "filter":
      return settings.filter
        ? describeFilter(settings.filter, labelOf, valueLabelOf)
        : "every record";
    case "sort":
      return (settings.sort ?? []).map((key) => describeKey(key, labelOf)).join(", ") || "no order";
    case "columns": {
      const shown = (settings.columns ?? []).filter(({ hidden }) => !hidden);
      return shown.map(({ field }) => labelOf(field)).join(", ") || "as the table has them";
    }
    case "group":
      return settings.group ? labelOf(settings.group) : "as the table has it";
  }
}

function describeKey(key: string, labelOf: LabelOf): string {
  const { field, descending } = readSortKey(key);
  return descending ? `${labelOf(field)} (descending)` : labelOf(field);
}
