import { accessTexts } from "./access-texts.ts";
import { conditionTexts } from "./condition-texts.ts";
import { expressionTexts } from "./expression-texts.ts";
import { filterTexts } from "./filter-texts.ts";
import { recordTexts } from "./record-texts.ts";
import { screenTexts } from "./screen-texts.ts";
import { valueTexts } from "./value-texts.ts";

/**
 * The English sentences of errors, by key. The server sends a sentence with its key and its values; the interface words it
 * by the key (client/src/messages/error-text.ts). A key and the names of its values are part of the contract: another
 * sentence under the same key must mean the same. `{name}` is a value; a number may choose a plural, as ICU MessageFormat has it.
 */
export const errorTexts = {
  ...valueTexts,
  ...recordTexts,
  ...filterTexts,
  ...conditionTexts,
  ...expressionTexts,
  ...accessTexts,
  ...screenTexts,
} as const;

export type ErrorTextKey = keyof typeof errorTexts;
