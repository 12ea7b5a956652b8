import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Values } from "../../../../../shared/model/model.ts";
import { insertRecord, newValues } from "../actions/record-actions.ts";
import type { GridController } from "../grid-controller.ts";
import { recordInRow } from "../range/row-map.ts";
import { memberFilter } from "./group-filter.ts";
import type { Groups } from "./use-groups.ts";

/** Whether a new record can begin in a group: its field may be written, and its state is an initial one. */
export function canAddTo(grid: GridController, { field, grouping }: Groups, key: Json): boolean {
  if (!grid.abilities.create || grouping.by === "month") return false;
  const also = memberFilter({ field: field.name, key });
  return key === null || newValues(grid, also)[field.name] !== undefined;
}

/** Begins a new record where a heading or the row for new records is: in its group, or at the end of all rows. */
export function addAt(grid: GridController, index: number): void {
  const { view } = grid.groups;
  const at = grid.groups.at(index);
  if (!at) return;
  const row = grid.groups.rowAtIndex(index);
  if (!view) insertRecord(grid, { group: null, row });
  else if (canAddTo(grid, view.groups, at.key)) {
    const group = { field: view.groups.field.name, key: at.key };
    insertRecord(grid, { group, row: isGroupHidden(view.groups, at.key) ? null : row });
  }
}

/** The values that a record begun there has; null where none can begin. */
export function valuesAt(grid: GridController, index: number): Values | null {
  const { view } = grid.groups;
  const at = grid.groups.at(index);
  if (at?.kind !== "new") return null;
  if (!view) return newValues(grid);
  const also =
    at.key === null ? null : memberFilter({ field: view.groups.field.name, key: at.key });
  return newValues(grid, also);
}

/** The values that a record begun below this new one has: those of its group, if it began in one. */
export function valuesBelow(grid: GridController, row: number): Values {
  const field = grid.groups.view?.groups.field.name;
  const record = recordInRow(grid, row);
  const isInGroup = field !== undefined && row >= grid.rowList.created.length;
  return newValues(
    grid,
    isInGroup ? memberFilter({ field, key: record?.values[field] ?? null }) : null,
  );
}

export function isGroupHidden({ hidden }: Pick<Groups, "hidden">, key: Json): boolean {
  return hidden.some((one) => deepEqual(one, key));
}
