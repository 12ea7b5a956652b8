import { deepEqual } from "../../../shared/document/deep-equal.ts";

/** The values that differ from those with which a form was opened: what others change of the rest meanwhile stays. */
export function changedSettings<T extends object>(opened: object, typed: T): Partial<T> {
  const known = opened as Readonly<Record<string, unknown>>;
  const changed = Object.entries(typed).filter(([name, value]) => !deepEqual(value, known[name]));
  return Object.fromEntries(changed) as Partial<T>;
}
