import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import type { Json } from "../../../../../shared/filter/filter.ts";
import { insertRecord, newValues } from "../actions/record-actions.ts";
import type { GridController } from "../grid-controller.ts";
import { memberFilter } from "./group-filter.ts";
import type { Groups } from "./use-groups.ts";

/** Whether a new record can begin in a group: its field may be written, and its state is an initial one. */
export function canAddTo(grid: GridController, { field, grouping }: Groups, key: Json): boolean {
  if (!grid.abilities.create || grouping.by === "month") return false;
  return key === null || newValues(grid, memberFilter(field, key))[field.name] !== undefined;
}

/** Begins a new record in the group of a heading, or at the end of all rows. */
export function addAt(grid: GridController, index: number): void {
  const { view } = grid.groups;
  const row = grid.groups.at(index);
  if (!row) return;
  if (!view) insertRecord(grid);
  else if (canAddTo(grid, view.groups, row.key)) {
    insertRecord(grid, row.key === null ? null : memberFilter(view.groups.field, row.key));
  }
}

export function isGroupHidden({ hidden }: Pick<Groups, "hidden">, key: Json): boolean {
  return hidden.some((one) => deepEqual(one, key));
}
