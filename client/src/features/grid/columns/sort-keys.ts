/**
 * What a click on a header makes of the order: ascending, descending, then not at all. Without `add`
 * the field is the only key; with it, the others stay.
 */
export function nextSort(sort: readonly string[], field: string, add: boolean): string[] {
  const key = sort.find((one) => nameOf(one) === field);
  const next = key === undefined ? field : key.startsWith("-") ? null : `-${field}`;
  if (!add) return next === null ? [] : [next];
  if (next === null) return sort.filter((one) => nameOf(one) !== field);
  return key === undefined ? [...sort, next] : sort.map((one) => (one === key ? next : one));
}

function nameOf(key: string): string {
  return key.startsWith("-") ? key.slice(1) : key;
}
