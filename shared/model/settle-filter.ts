import { closeFields } from "../filter/close-fields.ts";
import type { Filter } from "../filter/filter.ts";
import { renameFields } from "../filter/rename-fields.ts";
import { replaceValues } from "../filter/replace-values.ts";
import { meantField } from "./former-names.ts";
import { idOfField, type Table } from "./model.ts";
import { fieldAfter } from "./names-after.ts";

/** What a field that a right names is called in the next model; names of others stay as they are. */
export function nameAfter(name: string, before: Table, after: Table): string {
  return meantAfter(name, before, after) ?? name;
}

/** Whether a name means a field that is gone, or never was, and means another one in the next model. */
export function isTaken(name: string, before: Table, after: Table): boolean {
  const isGone = meantAfter(name, before, after) === undefined;
  return isGone && meantField(after, name) !== undefined;
}

function meantAfter(name: string, before: Table, after: Table): string | undefined {
  const meant = meantField(before, name);
  return meant && fieldAfter(meant.name, before, after);
}

/**
 * A row right carried over to the next model: it goes on comparing the same fields and options. Where a new
 * field takes the name of one that is gone, the comparison lets nothing through.
 */
export function settleRowFilter(filter: Filter, before: Table, after: Table): Filter {
  const closed = closeFields(filter, (name) => isTaken(name, before, after));
  return renameFields(followOptions(closed, before, after), (name) =>
    nameAfter(name, before, after),
  );
}

/**
 * The filter follows an option that another one stands for now. Where several became one, records of the
 * others would come in: then only what excludes records follows.
 */
function followOptions(filter: Filter, before: Table, after: Table): Filter {
  return replaceValues(filter, (name, value, isExcluding) => {
    const was = meantField(before, name);
    const is = was && after.fields.find((field) => idOfField(field) === idOfField(was));
    const had = was?.options?.some((option) => option.value === value);
    if (!had || !is?.options || is.options.some((option) => option.value === value)) return value;
    const heir = is.options.find(({ formerly }) => formerly?.includes(value));
    if (!heir) return value;
    const standsFor = was?.options?.filter(
      (option) => option.value === heir.value || heir.formerly?.includes(option.value),
    );
    return isExcluding || standsFor?.length === 1 ? heir.value : value;
  });
}
