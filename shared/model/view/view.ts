import { z } from "zod";
import { type Explanation, explain, explanationOf } from "../../error-texts/explain.ts";
import { fieldsOf } from "../../filter/bind-filter.ts";
import { checkFilter } from "../../filter/check-filter.ts";
import { checkSort, SORT_MAX_KEYS } from "../../filter/check-sort.ts";
import { filterSchema } from "../../filter/filter.ts";
import { readSortKey } from "../../filter/sort-key.ts";
import { isLegible } from "../../filter/storable.ts";
import { isNumeric } from "../../filter/value-kinds.ts";
import { kindOfType, traitsOf } from "../field-types.ts";
import { fieldKinds, findField, type Table } from "../model.ts";
import { nameSchema, userTextSchema } from "../user-text-schema.ts";
import { appearanceSchema } from "./appearance.ts";
import { columnSummaries, groupUnits, isGroupable, isMeasurable } from "./summary-ops.ts";

/** A view: a saved way of looking at a table. It holds no records and grants nothing. */

/** So many records of a view can have an order by hand, and so many it may show then. */
export const MOVED_MAX_RECORDS = 10_000;

const NAME_MAX_LENGTH = 80;
const COLUMNS_MAX = 200;
const BOARD_MAX_COLUMNS = 100;
/** A narrower column could no longer be resized. */
const WIDTH_MIN_PX = 64;
const WIDTH_MAX_PX = 2_000;

export const viewNameSchema = userTextSchema(NAME_MAX_LENGTH)
  .trim()
  .min(1)
  .refine(isLegible, "must be a name that can be read");

/** A column of the view. Its width is in pixels; the field's own if absent. `summary` is computed below the rows. */
const columnSchema = z.strictObject({
  field: nameSchema,
  width: z.int().min(WIDTH_MIN_PX).max(WIDTH_MAX_PX).exactOptional(),
  pinned: z.boolean().exactOptional(),
  hidden: z.boolean().exactOptional(),
  summary: z.enum(columnSummaries).exactOptional(),
});
export type ViewColumn = z.infer<typeof columnSchema>;

/** The field that the rows of a table are grouped by; times are grouped by day or month. */
const groupingSchema = z.strictObject({
  field: nameSchema,
  by: z.enum(groupUnits).exactOptional(),
});
export type Grouping = z.infer<typeof groupingSchema>;

/** The settings of a view. */
export const viewSettingsSchema = z.strictObject({
  filter: filterSchema.nullable(),
  /** Names of fields, `-` before a descending one. */
  sort: z.array(z.string().min(1).max(121)).max(SORT_MAX_KEYS),
  /** From left to right. Unnamed columns follow in the table's order; none named: all of them. */
  columns: z
    .array(columnSchema)
    .max(COLUMNS_MAX)
    .refine((columns) => new Set(columns.map(({ field }) => field)).size === columns.length, {
      error: "A column is in it twice",
    }),
  /** The field that the board groups by; null: the first of `boardFields`, the state if there is one. */
  group: nameSchema.nullable(),
  /** The grouping of the rows; absent in older views, which means null. */
  grouping: groupingSchema.nullable().exactOptional(),
  /** Rows as the table shows them, if absent. */
  appearance: appearanceSchema.exactOptional(),
});
export type ViewSettings = z.infer<typeof viewSettingsSchema>;

/** Every property of a view that can be changed; each is merged separately. */
export const viewDocumentSchema = viewSettingsSchema.extend({
  name: viewNameSchema,
  /** Visible to everybody who may read its table and fields; else only to its owner. */
  shared: z.boolean(),
});
export type ViewDocument = z.infer<typeof viewDocumentSchema>;

/** The fields that rows and order of a view depend on: users who may not see one of them do not see the view. */
export function viewNeeds({
  filter,
  sort,
  group,
  grouping,
}: Omit<ViewSettings, "columns" | "appearance">): string[] {
  const named = new Set(filter ? fieldsOf(filter) : []);
  for (const key of sort) named.add(readSortKey(key).field);
  if (group !== null) named.add(group);
  if (grouping) named.add(grouping.field);
  named.delete("id");
  return [...named];
}

/** Why a table can't be shown with these settings: the property, and a sentence. */
interface ViewProblem extends Explanation {
  property: keyof ViewSettings;
}

/** The first reason why a reader's form of the table can't be shown with these settings; null if it can. */
export function checkViewSettings(settings: ViewSettings, table: Table): ViewProblem | null {
  const kinds = fieldKinds(table);
  const filter = settings.filter && checkFilter(settings.filter, kinds);
  if (filter) return { property: "filter", ...explanationOf(filter) };
  const sort = checkSort(settings.sort.map(readSortKey), kinds);
  if (sort) return { property: "sort", ...explanationOf(sort) };
  const removed = settings.columns.find(({ field }) => !findField(table, field));
  if (removed)
    return { property: "columns", ...explain("filter.unknownField", { field: removed.field }) };
  const unfit = settings.columns.find(({ field, summary }) => {
    const declared = findField(table, field);
    return declared && summary && !isMeasurable(summary, kindOfType[declared.type]);
  });
  if (unfit) return { property: "columns", ...explain("view.summary", { field: unfit.field }) };
  const { grouping } = settings;
  if (grouping && !canGroupRows(table, grouping)) {
    return { property: "grouping", ...explain("view.grouping", { field: grouping.field }) };
  }
  for (const rule of settings.appearance?.rules ?? []) {
    const problem = checkFilter(rule.filter, kinds);
    if (problem) return { property: "appearance", ...explanationOf(problem) };
    if (rule.field !== null && !findField(table, rule.field))
      return { property: "appearance", ...explain("filter.unknownField", { field: rule.field }) };
  }
  if (settings.group === null || canGroup(table, settings.group)) return null;
  return {
    property: "group",
    ...explain("view.columns", { limit: BOARD_MAX_COLUMNS }),
  };
}

/** Whether rows can be grouped this way: not by long texts, numbers, lists or JSON, and by times only in days or months. */
export function canGroupRows(table: Table, { field: name, by }: Grouping): boolean {
  const field = findField(table, name);
  if (!field || traitsOf(field.type).hasLines) return false;
  const kind = kindOfType[field.type];
  return !isNumeric(kind) && isGroupable(kind, by);
}

/** Whether a board can group by this field: it has options, and no more than fit beside each other. */
export function canGroup(table: Table, name: string): boolean {
  const field = findField(table, name);
  const count = field?.type === "select" ? (field.options?.length ?? 0) : 0;
  return count > 0 && count <= BOARD_MAX_COLUMNS;
}
