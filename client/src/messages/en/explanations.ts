import { errorTexts } from "../../../../shared/error-texts/error-texts.ts";
import { textParts } from "../../../../shared/error-texts/explain.ts";
import { defineParsedMessage } from "../define-messages.ts";

/**
 * The sentences that server and shared code have, by key. Their English is that of the server; another language translates
 * them like any other text, as `errors.<key>`.
 */
export const explanationMessages = new Map<
  string,
  (values: Readonly<Record<string, string | number>>) => string
>();

/** Adds a list of sentences. Those of errors are always there, others come with the screen that shows them. */
export function addExplanations(texts: Readonly<Record<string, string>>): void {
  for (const [key, text] of Object.entries(texts)) {
    explanationMessages.set(key, defineParsedMessage(`errors.${key}`, textParts(text)));
  }
}

addExplanations(errorTexts);
