/** No language stacks more on one letter. */
const MARKS_MAX = 100;

/**
 * Unicode's normal form C. A text with more combining marks in a row is returned as it is: normalization sorts them, in
 * quadratic time.
 */
export function toNfc(text: string): string {
  return inForm(text, "NFC");
}

/** The same for normal form D, in which other programs may store texts. */
export function toNfd(text: string): string {
  return inForm(text, "NFD");
}

function inForm(text: string, form: "NFC" | "NFD"): string {
  const isSortable =
    text.length <= MARKS_MAX || !text.match(/\p{M}+/gu)?.some((marks) => marks.length > MARKS_MAX);
  return isSortable ? text.normalize(form) : text;
}
