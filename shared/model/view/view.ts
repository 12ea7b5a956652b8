import { z } from "zod";
import { fieldsOf } from "../../filter/bind-filter.ts";
import { checkFilter } from "../../filter/check-filter.ts";
import { checkSort } from "../../filter/check-sort.ts";
import { filterSchema } from "../../filter/filter.ts";
import { readSortKey } from "../../filter/sort-key.ts";
import { isLegible } from "../../filter/storable.ts";
import { fieldKinds, findField, type Table } from "../model.ts";
import { nameSchema, userTextSchema } from "../user-text-schema.ts";

/** A view: a saved way of looking at a table. It holds no records and grants nothing. */

const NAME_MAX_LENGTH = 80;
const SORT_MAX_KEYS = 10;
const COLUMNS_MAX = 200;
const BOARD_MAX_COLUMNS = 100;
/** A narrower column could not be taken hold of. */
const WIDTH_MIN_PX = 64;
const WIDTH_MAX_PX = 2_000;

export const viewNameSchema = userTextSchema(NAME_MAX_LENGTH)
  .trim()
  .min(1)
  .refine(isLegible, "must be a name that can be read");

/** A column as the view shows it. Its width is in pixels; the field's own where absent. */
const columnSchema = z.strictObject({
  field: nameSchema,
  width: z.int().min(WIDTH_MIN_PX).max(WIDTH_MAX_PX).exactOptional(),
  pinned: z.boolean().exactOptional(),
  hidden: z.boolean().exactOptional(),
});
export type ViewColumn = z.infer<typeof columnSchema>;

/** What a view shows, and how. */
export const viewSettingsSchema = z.strictObject({
  filter: filterSchema.nullable(),
  /** Names of fields, `-` before a descending one. */
  sort: z.array(z.string().min(1).max(121)).max(SORT_MAX_KEYS),
  /** From left to right. Columns that it does not name follow, as the table has them; none: all of them. */
  columns: z
    .array(columnSchema)
    .max(COLUMNS_MAX)
    .refine((columns) => new Set(columns.map(({ field }) => field)).size === columns.length, {
      error: "A column stands in it twice",
    }),
  /** The field by whose options the board stands in columns; null: the first of `boardFields`, the state where there is one. */
  group: nameSchema.nullable(),
});
export type ViewSettings = z.infer<typeof viewSettingsSchema>;

/** Every property of a view that can be changed; each merges by itself. */
export const viewDocumentSchema = viewSettingsSchema.extend({
  name: viewNameSchema,
  /** For all who may read what it speaks of; else its owner's alone. */
  shared: z.boolean(),
});
export type ViewDocument = z.infer<typeof viewDocumentSchema>;

/** The fields that rows and order of a view depend on: who may not see one of them may not have the view. */
export function viewNeeds({ filter, sort, group }: Omit<ViewSettings, "columns">): string[] {
  const named = new Set(filter ? fieldsOf(filter) : []);
  for (const key of sort) named.add(readSortKey(key).field);
  if (group !== null) named.add(group);
  named.delete("id");
  return [...named];
}

/** Why a table can't be shown like that: the property, and a sentence. */
export interface ViewProblem {
  property: keyof ViewSettings;
  message: string;
}

/** The first reason why the table, as somebody sees it, can't be shown like that, or null. */
export function checkViewSettings(settings: ViewSettings, table: Table): ViewProblem | null {
  const kinds = fieldKinds(table);
  const filter = settings.filter && checkFilter(settings.filter, kinds);
  if (filter) return { property: "filter", message: filter.message };
  const sort = checkSort(settings.sort.map(readSortKey), kinds);
  if (sort) return { property: "sort", message: sort.message };
  const removed = settings.columns.find(({ field }) => !findField(table, field));
  if (removed) return { property: "columns", message: `There is no field “${removed.field}”.` };
  if (settings.group === null || canGroup(table, settings.group)) return null;
  return {
    property: "group",
    message: `“${settings.group}” has no options to stand in columns by, or too many.`,
  };
}

/** Whether a board can stand in columns by this field: it has options, and no more than fit beside each other. */
export function canGroup(table: Table, name: string): boolean {
  const field = findField(table, name);
  const count = field?.type === "select" ? (field.options?.length ?? 0) : 0;
  return count > 0 && count <= BOARD_MAX_COLUMNS;
}
