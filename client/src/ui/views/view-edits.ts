import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import {
  describeFilter,
  type LabelOf,
  type ValueLabelOf,
} from "../../../../shared/filter/describe.ts";
import { readSortKey } from "../../../../shared/filter/sort-key.ts";
import type { ViewLook } from "../../../../shared/model/view/view.ts";

/** What one has changed on top of a view, and what that was changed from. */

export type LookPart = keyof ViewLook;

export const partNames: Record<LookPart, string> = {
  filter: "Filter",
  sort: "Order",
  columns: "Columns",
  group: "Grouping",
};

/** The parts of a look that are other ones than the view's; what is not shown here is not said. */
export function changesOf(shown: Partial<ViewLook>, view: ViewLook): Partial<ViewLook> {
  const changed = (Object.keys(shown) as LookPart[]).filter(
    (part) => shown[part] !== undefined && !deepEqual(shown[part], view[part]),
  );
  return Object.fromEntries(changed.map((part) => [part, shown[part]]));
}

/**
 * What each change was made from: the view as it was when the change began, though others may have saved
 * something else since. What is not changed any more is forgotten.
 */
export function basesOf(
  changes: Partial<ViewLook>,
  view: ViewLook,
  before: Partial<ViewLook>,
): Partial<ViewLook> {
  const parts = Object.keys(changes) as LookPart[];
  return Object.fromEntries(
    parts.map((part) => [part, part in before ? before[part] : view[part]]),
  );
}

/** A part of a view in words. */
export function describePart(
  part: LookPart,
  look: Partial<ViewLook>,
  labelOf: LabelOf,
  valueLabelOf: ValueLabelOf,
): string {
  switch (part) {
    case "filter":
      return look.filter ? describeFilter(look.filter, labelOf, valueLabelOf) : "every record";
    case "sort":
      return (look.sort ?? []).map((key) => describeKey(key, labelOf)).join(", ") || "no order";
    case "columns": {
      const shown = (look.columns ?? []).filter(({ hidden }) => !hidden);
      return shown.map(({ field }) => labelOf(field)).join(", ") || "as the table has them";
    }
    case "group":
      return look.group ? labelOf(look.group) : "as the table has it";
  }
}

function describeKey(key: string, labelOf: LabelOf): string {
  const { field, descending } = readSortKey(key);
  return descending ? `${labelOf(field)} (descending)` : labelOf(field);
}
