import { mapComparisons } from "./bind-filter.ts";
import type { Filter, Json } from "./filter.ts";
import { readOperand } from "./operand.ts";

/** A filter under the new names of its fields. */
export function renameFields(filter: Filter, nameOf: (field: string) => string): Filter {
  return mapComparisons(filter, ({ field, value, ...rest }) => {
    const renamed = { field: nameOf(field), ...rest };
    return value === undefined ? renamed : { ...renamed, value: renameValue(value, nameOf) };
  });
}

function renameValue(value: Json, nameOf: (field: string) => string): Json {
  if (Array.isArray(value)) return value.map((one) => renameValue(one, nameOf));
  const operand = readOperand(value);
  return operand.type === "field" ? { field: nameOf(operand.field) } : value;
}
