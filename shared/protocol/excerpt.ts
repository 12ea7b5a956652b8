const EXCERPT_MAX_LENGTH = 100;

/** The beginning of a text from outside, for an answer that repeats it. */
export function excerpt(text: string, maxLength = EXCERPT_MAX_LENGTH): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
