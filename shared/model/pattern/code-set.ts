/** A set of characters, tested one code point at a time. */
export type CodeSet = (code: number) => boolean;

const digit: CodeSet = (code) => code >= 48 && code <= 57;
const word: CodeSet = (code) =>
  digit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
const space: CodeSet = (code) => /\s/u.test(String.fromCodePoint(code));

export const anyButNewline: CodeSet = (code) => code !== 10 && code !== 13;

export const not =
  (set: CodeSet): CodeSet =>
  (code) =>
    !set(code);

export const oneOf =
  (sets: readonly CodeSet[]): CodeSet =>
  (code) =>
    sets.some((set) => set(code));

export const range =
  (from: number, to: number): CodeSet =>
  (code) =>
    code >= from && code <= to;

/** The classes that a letter after a backslash means. */
export const namedSets: Readonly<Record<string, CodeSet>> = {
  d: digit,
  D: not(digit),
  w: word,
  W: not(word),
  s: space,
  S: not(space),
};

/** A property of Unicode, as in \p{L}; null if there is none of that name. */
export function unicodeSet(property: string): CodeSet | null {
  if (!/^[A-Za-z_]{1,30}(=[A-Za-z_]{1,30})?$/.test(property)) return null;
  try {
    const one = new RegExp(`^\\p{${property}}$`, "u");
    return (code) => one.test(String.fromCodePoint(code));
  } catch {
    return null;
  }
}
