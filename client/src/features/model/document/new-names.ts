import { randomId } from "@mantine/hooks";
import { foldName, nameProblem } from "../../../../../shared/model/check-name.ts";
import { utf8Length } from "../../../../../shared/model/utf8-length.ts";

/** Postgres truncates longer names. */
const NAME_MAX_BYTES = 63;
/** Prefix of the ids of new tables and fields until the server assigns theirs. */
const NEW = "+";

/** An id for a new table or field. */
export function newId(): string {
  return `${NEW}${randomId()}`;
}

export function isNew(id: string | undefined): boolean {
  return id?.startsWith(NEW) ?? false;
}

/**
 * An unused technical name derived from a label: lower-case letters of any script, digits and underscores.
 */
export function nameFor(label: string, taken: readonly string[], fallback: string): string {
  const slug = label
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "");
  const foldedNames = new Set(["id", ...taken].map(foldName));
  const base = slug === "" || nameProblem(slug) ? fallback : slug;
  for (let count = 1; ; count++) {
    const suffix = count === 1 ? "" : `_${count}`;
    const name = truncate(base, NAME_MAX_BYTES - suffix.length) + suffix;
    if (!foldedNames.has(foldName(name))) return name;
  }
}

/** The text, or with the first free number: "Field", "Field 2". */
export function freeText(base: string, taken: readonly string[]): string {
  for (let count = 1; ; count++) {
    const text = count === 1 ? base : `${base} ${count}`;
    if (!taken.includes(text)) return text;
  }
}

function truncate(text: string, bytes: number): string {
  let truncated = text;
  while (utf8Length(truncated) > bytes) truncated = [...truncated].slice(0, -1).join("");
  return truncated.replace(/_+$/, "");
}

/** Guesses the English singular as an initial value: "Customers" gives "customer". */
export function singular(label: string): string {
  const word = label.trim().toLowerCase();
  if (word === "") return "record";
  return word.replace(/ies$/, "y").replace(/(?<!s)s$/, "");
}
