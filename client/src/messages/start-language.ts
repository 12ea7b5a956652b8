import { decorateTexts, loadTexts } from "./define-messages.ts";

/** Where the browser keeps the language that its user chose. */
export const LANGUAGE_KEY = "watchfloor.language";

/**
 * A language for tests: English in brackets, with an accent on each letter, so that plain letters on the screen that are no data
 * bypass the catalogue.
 */
export function pseudoText(text: string): string {
  return `⟦${text.replace(/(<\/?\w+>)|[A-Za-z](?!\u0301)/g, (found, tag) => tag ?? `${found}\u0301`)}⟧`;
}

type Texts = Readonly<Record<string, string>>;

/** A further language is one file here, with a text for each `<part>.<message>`. */
const languages: Readonly<Record<string, () => Promise<{ texts: Texts }>>> = {};

/** Prepares the texts before anything is drawn. An unknown language is English. */
export async function startLanguage(language: string | null): Promise<void> {
  if (language === "pseudo") decorateTexts(pseudoText);
  const load = language === null ? undefined : languages[language];
  if (load) loadTexts(language ?? "en", (await load()).texts);
}
