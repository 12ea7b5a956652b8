import { errorTexts } from "../../../../shared/error-texts/error-texts.ts";
import { textParts } from "../../../../shared/error-texts/explain.ts";
import { defineParsedMessage } from "../define-messages.ts";

/**
 * The sentences that server and shared code have for errors, by key. Their English is that of the server; another language
 * translates them like any other text, as `errors.<key>`.
 */
export const explanationMessages = new Map(
  Object.entries(errorTexts).map(([key, text]) => [
    key,
    defineParsedMessage(`errors.${key}`, textParts(text)),
  ]),
);
