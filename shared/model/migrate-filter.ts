import { denyFields } from "../filter/deny-fields.ts";
import type { Filter } from "../filter/filter.ts";
import { renameFields } from "../filter/rename-fields.ts";
import { replaceValues } from "../filter/replace-values.ts";
import { resolveField } from "./former-names.ts";
import { idOfField, type Table } from "./model.ts";
import { fieldAfter } from "./names-after.ts";

/** The name in the next model of a field that a right names; unchanged for others. */
export function migratedName(name: string, before: Table, after: Table): string {
  return migratedFieldName(name, before, after) ?? name;
}

/** Whether a name means a removed or missing field, and another field in the next model. */
export function isTaken(name: string, before: Table, after: Table): boolean {
  const isRemoved = migratedFieldName(name, before, after) === undefined;
  return isRemoved && resolveField(after, name) !== undefined;
}

function migratedFieldName(name: string, before: Table, after: Table): string | undefined {
  const field = resolveField(before, name);
  return field && fieldAfter(field.name, before, after);
}

/**
 * Migrates a row right to the next model: it compares the same fields and options. If a new field takes the
 * name of a removed one, the comparison matches nothing.
 */
export function migrateRowFilter(filter: Filter, before: Table, after: Table): Filter {
  const closed = denyFields(filter, (name) => isTaken(name, before, after));
  return renameFields(migrateOptions(closed, before, after), (name) =>
    migratedName(name, before, after),
  );
}

/**
 * The filter follows a replaced option. If several options became one, records of the others would be
 * included: then only comparisons that exclude records follow.
 */
function migrateOptions(filter: Filter, before: Table, after: Table): Filter {
  return replaceValues(filter, (name, value, isExcluding) => {
    const was = resolveField(before, name);
    const is = was && after.fields.find((field) => idOfField(field) === idOfField(was));
    const had = was?.options?.some((option) => option.value === value);
    if (!had || !is?.options || is.options.some((option) => option.value === value)) return value;
    const successor = is.options.find(({ formerly }) => formerly?.includes(value));
    if (!successor) return value;
    const replaced = was?.options?.filter(
      (option) => option.value === successor.value || successor.formerly?.includes(option.value),
    );
    return isExcluding || replaced?.length === 1 ? successor.value : value;
  });
}
