import { isStorable } from "../filter/storable.ts";
import { utf8Length } from "./utf8-length.ts";

/**
 * What a table or field may be called. Quotes, spaces, reserved words of SQL and letters of any script
 * are fine: names never reach SQL as text. Refused is what would mean something else on the way.
 */

/** Postgres cuts identifiers off here; a table is called the same there and here. */
const IDENTIFIER_MAX_BYTES = 63;
/** Keys that every JavaScript object seems to have. */
const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Whether every object seems to have a key of that name. */
export function isInherited(name: string): boolean {
  return inherited.has(name);
}

/** A sentence where a name can't be used; null where it can. */
export function nameProblem(name: string): string | null {
  const quoted = JSON.stringify(name);
  if (!isStorable(name) || /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u.test(name)) {
    return `The name ${quoted} has a character that can't be seen or kept.`;
  }
  if (name.normalize("NFC") !== name) return `The name ${quoted} is not in Unicode's normal form.`;
  if (name.trim() !== name) return `The name ${quoted} begins or ends with a space.`;
  if (name.startsWith("-"))
    return `The name ${quoted} begins with "-", which means descending order.`;
  if (name.includes(",")) return `The name ${quoted} has a comma, which separates names.`;
  if (isInherited(name)) return `The name ${quoted} is reserved.`;
  return null;
}

export function fieldNameProblem(name: string): string | null {
  return name === "id" ? 'Every record has an "id" already.' : nameProblem(name);
}

export function tableNameProblem(name: string): string | null {
  if (name === "*" || name === "." || name === "..") return `The name "${name}" is reserved.`;
  if (utf8Length(name) > IDENTIFIER_MAX_BYTES) {
    return `The name ${JSON.stringify(name)} is longer than ${IDENTIFIER_MAX_BYTES} bytes.`;
  }
  return nameProblem(name);
}

/** Names that people and other programs would take for the same have the same fold. */
export function foldName(name: string): string {
  return name.normalize("NFKC").toLowerCase().normalize("NFKC");
}

/** The first name, in order, that looks like an earlier one; by index. */
export function* clashingNames(
  names: readonly string[],
): Iterable<[index: number, earlier: string]> {
  const used = new Map<string, string>();
  for (const [index, name] of names.entries()) {
    const folded = foldName(name);
    const earlier = used.get(folded);
    if (earlier !== undefined) yield [index, earlier];
    else used.set(folded, name);
  }
}
