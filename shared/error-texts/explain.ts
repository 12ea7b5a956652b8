import { type ErrorTextKey, type ErrorTexts, errorTexts } from "./error-texts.ts";

declare const english: unique symbol;

/**
 * An English sentence as it is sent. No string to TypeScript, so that it is neither written beside the list of sentences
 * nor shown by a client that can word it itself.
 */
export interface EnglishText {
  readonly [english]: true;
}

/**
 * A sentence for users: in English, and as its key in `errorTexts` with the values that it names, by which clients word it
 * in their language. Without a key it has no other wording: see `quote` and `englishOnly`.
 */
export interface Explanation {
  message: EnglishText;
  messageKey?: string;
  messageValues?: Readonly<Record<string, ExplanationValue>>;
}

/** A list is joined by commas. Names and labels of the customer's model are values, which nobody translates. */
export type ExplanationValue = string | number | Explanation | readonly ExplanationValue[];

/** The names between braces. */
type ValueName<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ValueName<Rest>
  : never;

type Values<Key extends ErrorTextKey> = [ValueName<ErrorTexts[Key]>] extends [never]
  ? []
  : [values: Readonly<Record<ValueName<ErrorTexts[Key]>, ExplanationValue>>];

/** A sentence of the list, with its values filled in. */
export function explain<Key extends ErrorTextKey>(
  messageKey: Key,
  ...[values]: Values<Key>
): Explanation {
  const message = textParts(errorTexts[messageKey])
    .map((part) =>
      typeof part === "string"
        ? part
        : englishOf((values as Explanation["messageValues"])?.[part[0]] ?? ""),
    )
    .join("") as unknown as EnglishText;
  return { message, messageKey, ...(values && { messageValues: values }) };
}

/** What is shown as it is: what the customer wrote, such as the sentence of a rule, and what was received. */
export function quote(text: string): Explanation {
  return { message: text as unknown as EnglishText };
}

/**
 * A sentence that stays English, for those who write programs or operate the server: no screen causes it. The files that
 * may have some are listed in `e2e/lint/error-sentences.test.ts`.
 */
export function englishOnly(text: string): Explanation {
  return quote(text);
}

/** Text and names of values in turn, which is also the parsed form of ICU MessageFormat. */
export function textParts(text: string): (string | [name: string])[] {
  return text
    .split(/\{([a-z]\w*)\}/)
    .map((part, index): string | [string] => (index % 2 === 1 ? [part] : part))
    .filter((part) => part !== "");
}

/** The English sentence of an explanation as plain text, for the wire and the terminal. */
export function englishText({ message }: Pick<Explanation, "message">): string {
  return message as unknown as string;
}

/** The same explanation in terms of the wire. */
export type SentExplanation = Omit<Explanation, "message"> & { message: string };

export function toSent(explanation: Explanation): SentExplanation {
  return explanation as unknown as SentExplanation;
}

/** The key and the values of a sentence, among the properties of what explains itself or was received. */
export function wordingOf(explained: {
  messageKey?: unknown;
  messageValues?: unknown;
}): Omit<Explanation, "message"> {
  const { messageKey, messageValues } = explained as Explanation;
  if (typeof messageKey !== "string") return {};
  return typeof messageValues === "object" && messageValues !== null
    ? { messageKey, messageValues }
    : { messageKey };
}

/** Only the explanation of what has other properties too. */
export function explanationOf(explained: Explanation): Explanation {
  return { message: explained.message, ...wordingOf(explained) };
}

function englishOf(value: ExplanationValue): string {
  if (typeof value !== "object") return String(value);
  return "message" in value ? englishText(value) : value.map(englishOf).join(", ");
}
