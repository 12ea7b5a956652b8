import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";

const NAME_MAX_LENGTH = 120;
/** A space and six digits. */
const COUNT_LENGTH = 7;

/** An unused name for a copy: "Floor 2 copy", "Floor 2 copy 2". */
export function nameOfCopy(name: string, wallboards: readonly { name: string }[]): string {
  const taken = new Set(wallboards.map((wallboard) => wallboard.name));
  const suffix = ` ${messages.copy()}`;
  const end = name.lastIndexOf(suffix);
  const isCopy = end >= 0 && /^( \d+)?$/.test(name.slice(end + suffix.length));
  const original = isCopy ? name.slice(0, end) : name;
  const stem = original.slice(0, NAME_MAX_LENGTH - suffix.length - COUNT_LENGTH) + suffix;
  let copy = stem;
  for (let count = 2; taken.has(copy); count++) copy = `${stem} ${count}`;
  return copy;
}
