import { foldName, nameProblem } from "../../../../../shared/model/check-name.ts";
import { utf8Length } from "../../../../../shared/model/utf8-length.ts";

/** Postgres cuts longer names off. */
const NAME_MAX_BYTES = 63;
/** New tables and fields carry such an id until the server has given them theirs. */
const NEW = "+";

let given = 0;

/** An id for something that the server does not know yet. */
export function newId(): string {
  given += 1;
  return `${NEW}${Date.now().toString(36)}-${given}`;
}

export function isNew(id: string | undefined): boolean {
  return id?.startsWith(NEW) ?? false;
}

/**
 * A technical name like a label, that none of the taken ones looks like: small letters, digits and
 * underscores, in the script in which the label is written.
 */
export function nameFor(label: string, taken: readonly string[], fallback: string): string {
  const plain = label
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "");
  const folds = new Set(["id", ...taken].map(foldName));
  const wanted = plain === "" || nameProblem(plain) ? fallback : plain;
  for (let count = 1; ; count++) {
    const ending = count === 1 ? "" : `_${count}`;
    const name = cut(wanted, NAME_MAX_BYTES - ending.length) + ending;
    if (!folds.has(foldName(name))) return name;
  }
}

/** The text itself, or its first free numbering: "Field", "Field 2". */
export function freeText(wanted: string, taken: readonly string[]): string {
  for (let count = 1; ; count++) {
    const text = count === 1 ? wanted : `${wanted} ${count}`;
    if (!taken.includes(text)) return text;
  }
}

function cut(text: string, bytes: number): string {
  let kept = text;
  while (utf8Length(kept) > bytes) kept = [...kept].slice(0, -1).join("");
  return kept.replace(/_+$/, "");
}
