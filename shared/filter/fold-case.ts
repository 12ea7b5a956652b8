import { memoize } from "../memoize.ts";

/**
 * Our own definition of equality except for case, because `lower()` differs between Postgres versions,
 * providers and locales, and all of them from JavaScript:
 * - ASCII letters fold to lower case, and nothing else ever folds to an ASCII letter;
 * - any other code point folds to the lower case of its upper case, where both are single code points. So É =
 *   é, Σ = σ = ς, Ж = ж; but ß ≠ ss, and İ, ı, ſ and the Kelvin sign are none of i, s, k.
 * Folding works on each code point alone and is idempotent. SQL can do exactly this: `lower(… COLLATE "C")`
 * folds ASCII, and `translate()` the few other letters that the searched text contains (`caseVariants`).
 */

const ASCII_ONLY = /^[\0-\x7f]*$/;
const LAST_CASED_CODE_POINT = 0x1ffff;

function single(text: string): string | null {
  const first = text.codePointAt(0) ?? 0;
  return text.length === (first > 0xffff ? 2 : 1) ? text : null;
}

function foldCharacter(character: string): string {
  if (character <= "\x7f") return character.toLowerCase();
  const upper = single(character.toUpperCase()) ?? character;
  const lower = single(upper.toLowerCase()) ?? upper;
  return lower <= "\x7f" ? character : lower;
}

/** The text with every code point folded; two texts are equal except for case if their folds are equal. */
export function foldCase(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  let folded = "";
  for (const character of text) folded += foldCharacter(character);
  return folded;
}

/** The other characters that fold to one outside ASCII. */
const variantsByFolded = memoize(() => {
  const variants = new Map<string, string[]>();
  for (let code = 0x80; code <= LAST_CASED_CODE_POINT; code++) {
    if (code === 0xd800) code = 0xe000;
    const character = String.fromCodePoint(code);
    const folded = foldCharacter(character);
    if (folded === character) continue;
    const known = variants.get(folded);
    if (known) known.push(character);
    else variants.set(folded, [character]);
  }
  return variants;
});

/**
 * The characters outside ASCII that fold to one in `folded`, and their folds, as the two arguments of SQL
 * `translate()`. Letters that the searched text does not contain need no folding.
 */
export function caseVariants(folded: string): { from: string; to: string } {
  const result = { from: "", to: "" };
  if (ASCII_ONLY.test(folded)) return result;
  for (const character of new Set(folded)) {
    for (const variant of variantsByFolded().get(character) ?? []) {
      result.from += variant;
      result.to += character;
    }
  }
  return result;
}
