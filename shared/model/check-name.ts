import { isStorable } from "../filter/storable.ts";
import { utf8Length } from "./utf8-length.ts";

/**
 * Valid names of tables and fields. Quotes, spaces, reserved words of SQL and letters of any script are fine:
 * names never reach SQL as text. Refused are names that would change their meaning on the way.
 */

/** Postgres truncates identifiers here; a table has the same name there. */
const IDENTIFIER_MAX_BYTES = 63;
/** Keys that every JavaScript object inherits. */
const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Whether every object inherits a key of that name. */
export function isInherited(name: string): boolean {
  return inherited.has(name);
}

/** A sentence if a name can't be used; null if it can. */
export function nameProblem(name: string): string | null {
  const quoted = JSON.stringify(name);
  if (!isStorable(name) || /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u.test(name)) {
    return `The name ${quoted} has a character that can't be seen or stored.`;
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

/** Names that users and other programs would confuse have the same fold. */
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
