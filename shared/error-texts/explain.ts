import { errorTexts } from "./error-texts.ts";

declare const english: unique symbol;

/**
 * An English sentence as it is sent. No string to TypeScript, so that it is neither written beside the list of sentences
 * nor shown by a client that can word it itself.
 */
export interface EnglishText {
  readonly [english]: true;
}

/**
 * A sentence for users: in English, and as its key in a list such as `errorTexts` with the values that it names, by which clients word it
 * in their language. Without a key it has no other wording: see `quote` and `englishOnly`.
 */
export interface Explanation {
  message: EnglishText;
  messageKey?: string;
  messageValues?: Readonly<Record<string, ExplanationValue>>;
}

/** A list is joined by commas. Names and labels of the customer's model are values, which nobody translates. */
export type ExplanationValue = string | number | Explanation | readonly ExplanationValue[];

/**
 * The names of a text's values: what follows `{` up to `}` or `,`. The branches of a plural are distinguished from
 * names by a space or `#`: `{count, plural, one {# row} other {# rows}}`.
 */
export type ValueName<Text extends string> = Text extends `${string}{${infer Rest}`
  ? Name<Rest> | ValueName<Rest>
  : never;

type Name<Rest extends string> = Rest extends `${infer Found}}${string}`
  ? Found extends `${infer Argument},${string}`
    ? WithoutSpace<Argument>
    : WithoutSpace<Found>
  : never;

type WithoutSpace<Found extends string> = Found extends `${string}${" " | "#" | "{"}${string}`
  ? never
  : Found;

type Values<Text extends string> = [ValueName<Text>] extends [never]
  ? []
  : [values: Readonly<Record<ValueName<Text>, ExplanationValue>>];

/** Explains by the sentences of a list. */
export function explainer<Texts extends Readonly<Record<string, string>>>(texts: Texts) {
  return <Key extends keyof Texts & string>(
    messageKey: Key,
    ...[values]: Values<Texts[Key]>
  ): Explanation => {
    const messageValues = values as Explanation["messageValues"];
    const message = textParts(texts[messageKey] as string)
      .map((part) => (typeof part === "string" ? part : englishPart(part, messageValues ?? {})))
      .join("") as unknown as EnglishText;
    return { message, messageKey, ...(messageValues && { messageValues }) };
  };
}

/** A sentence of `errorTexts`, with its values filled in. */
export const explain = explainer(errorTexts);

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

/** A literal text, a value, or a plural. */
export type TextPart =
  | string
  | [name: string]
  | [name: string, "plural", branches: Readonly<Record<"one" | "other", readonly string[]>>];

/** A text in parts, which is also the parsed form of ICU MessageFormat. */
export function textParts(text: string): TextPart[] {
  const found = text.split(/\{([a-z]\w*)(?:, plural, one \{([^{}]*)\} other \{([^{}]*)\})?\}/);
  const parts: TextPart[] = [];
  for (let at = 0; at < found.length; at += 4) {
    const [literal, name, one, other] = found.slice(at, at + 4);
    if (literal) parts.push(literal);
    if (name === undefined) continue;
    const isPlural = one !== undefined && other !== undefined;
    parts.push(isPlural ? [name, "plural", { one: counted(one), other: counted(other) }] : [name]);
  }
  return parts;
}

/** A branch of a plural; `#` is the number. */
const counted = (branch: string) => branch.split(/(#)/);

function englishPart(
  [name, , branches]: Exclude<TextPart, string>,
  values: Readonly<Record<string, ExplanationValue>>,
): string {
  const value = values[name] ?? "";
  if (!branches) return englishOf(value);
  return branches[value === 1 ? "one" : "other"]
    .map((part) => (part === "#" ? englishOf(value) : part))
    .join("");
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
