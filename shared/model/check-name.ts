import type { Explanation } from "../error-texts/explain.ts";
import { explainModel } from "../error-texts/model-texts.ts";
import { isStorable } from "../filter/storable.ts";
import { isInherited } from "./inherited-names.ts";
import { utf8Length } from "./utf8-length.ts";

/**
 * Valid names of tables and fields. Quotes, spaces, reserved words of SQL and letters of any script are fine:
 * names never reach SQL as text. Refused are names that would change their meaning on the way.
 */

/** Postgres truncates identifiers here; a table has the same name there. */
const IDENTIFIER_MAX_BYTES = 63;
/** Why a name can't be used; null if it can. */
export function nameProblem(name: string): Explanation | null {
  const quoted = JSON.stringify(name);
  if (!isStorable(name) || /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u.test(name)) {
    return explainModel("model.nameCharacters", { name: quoted });
  }
  if (name.normalize("NFC") !== name) return explainModel("model.nameForm", { name: quoted });
  if (name.trim() !== name) return explainModel("model.nameSpace", { name: quoted });
  if (name.startsWith("-")) return explainModel("model.nameMinus", { name: quoted });
  if (name.includes(",")) return explainModel("model.nameComma", { name: quoted });
  if (isInherited(name)) return explainModel("model.nameReserved", { name: quoted });
  return null;
}

export function fieldNameProblem(name: string): Explanation | null {
  return name === "id" ? explainModel("model.nameId") : nameProblem(name);
}

export function tableNameProblem(name: string): Explanation | null {
  if (name === "*" || name === "." || name === "..") {
    return explainModel("model.nameReserved", { name: JSON.stringify(name) });
  }
  if (utf8Length(name) > IDENTIFIER_MAX_BYTES) {
    return explainModel("model.nameLength", {
      name: JSON.stringify(name),
      limit: IDENTIFIER_MAX_BYTES,
    });
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
