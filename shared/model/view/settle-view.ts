import { renameFields } from "../../filter/rename-fields.ts";
import { readSortKey, writeSortKey } from "../../filter/sort-key.ts";
import { withoutFields } from "../../filter/without-fields.ts";
import type { Table } from "../model.ts";
import { fieldAfter } from "../names-after.ts";
import type { ViewLook } from "./view.ts";

/**
 * A view carried over to the next model: it goes on showing what it showed, whatever that is called now.
 * What speaks of a field that is gone is taken out: a later field of its name is another one.
 */
export function settleLook(look: ViewLook, before: Table, after: Table): ViewLook {
  const nameOf = (name: string) => (name === "id" ? name : fieldAfter(name, before, after));
  const isGone = (name: string) => nameOf(name) === undefined;
  const filter = look.filter && withoutFields(look.filter, isGone);
  return {
    filter: filter && renameFields(filter, (name) => nameOf(name) ?? name),
    sort: look.sort.map(readSortKey).flatMap(({ field, descending }) => {
      const name = nameOf(field);
      return name === undefined ? [] : [writeSortKey({ field: name, descending })];
    }),
    columns: look.columns.flatMap((column) => {
      const field = nameOf(column.field);
      return field === undefined ? [] : [{ ...column, field }];
    }),
    group: (look.group !== null && nameOf(look.group)) || null,
  };
}
