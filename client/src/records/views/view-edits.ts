import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { LabelOf, ValueLabelOf } from "../../../../shared/filter/describe-operand.ts";
import { readSortKey } from "../../../../shared/filter/sort-key.ts";
import type { Appearance } from "../../../../shared/model/view/appearance.ts";
import type { ViewSettings } from "../../../../shared/model/view/view.ts";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { filterText } from "../filter/filter-text.ts";

/** The user's unsaved changes of a view, and their base values. */

export type ViewPart = keyof ViewSettings;

export const partNames: Record<ViewPart, () => string> = {
  filter: messages.partFilter,
  sort: messages.partSort,
  columns: messages.partColumns,
  group: messages.partGroup,
  grouping: messages.partGrouping,
  appearance: messages.partAppearance,
};

/** The settings that differ from the view's. Settings that the screen doesn't have are ignored. */
export function changesOf(shown: Partial<ViewSettings>, view: ViewSettings): Partial<ViewSettings> {
  const changed = (Object.keys(shown) as ViewPart[]).filter(
    (part) => shown[part] !== undefined && !deepEqual(shown[part], view[part] ?? null),
  );
  return Object.fromEntries(changed.map((part) => [part, shown[part]]));
}

/**
 * The base of each change: the value of the view when the change began, even if others have saved another value since.
 * A setting that is no longer changed has none.
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

/** Describes a part of a view. */
export function describePart(
  part: ViewPart,
  settings: Partial<ViewSettings>,
  labelOf: LabelOf,
  valueLabelOf: ValueLabelOf,
): string {
  switch (part) {
    case "filter":
      return settings.filter
        ? filterText(settings.filter, labelOf, valueLabelOf)
        : messages.allRecords();
    case "sort":
      return (
        (settings.sort ?? []).map((key) => describeKey(key, labelOf)).join(", ") ||
        messages.noOrder()
      );
    case "columns": {
      const shown = (settings.columns ?? []).filter(({ hidden }) => !hidden);
      return shown.map(({ field }) => labelOf(field)).join(", ") || messages.defaultColumns();
    }
    case "appearance":
      return describeAppearance(settings.appearance ?? {});
    case "group":
      return settings.group ? labelOf(settings.group) : messages.defaultGroup();
    case "grouping":
      return settings.grouping ? labelOf(settings.grouping.field) : messages.noGrouping();
  }
}

function describeAppearance({ height = "short", rules = [] }: Appearance): string {
  return messages.appearance({ height, rules: rules.length });
}

function describeKey(key: string, labelOf: LabelOf): string {
  const { field, descending } = readSortKey(key);
  return descending ? messages.descending({ field: labelOf(field) }) : labelOf(field);
}
