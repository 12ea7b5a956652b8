import { setupI18n } from "@lingui/core";
import type { TextPart, ValueName } from "../../../shared/error-texts/explain.ts";

/**
 * The texts of the interface. Each part has a catalogue in `en/`, in ICU MessageFormat:
 * `defineMessages("login", { wait: "Try again in {time}." })` gives `login.wait({ time: "5 s" })`.
 * The compiler checks names and parameters; plurals follow `Intl.PluralRules`. The build replaces the
 * texts by their parsed form (`client/parse-messages.ts`).
 *
 * The language is state of the module, because every module imports its texts as functions. It is chosen once, before
 * anything is drawn (`start-language.ts`).
 */
const i18n = setupI18n({ locale: "en", messages: { en: {} } });

let decorate = (text: string): string => text;

/** Reads texts that no build has parsed, as those of the client package. */
export function compileTexts(compile: Parameters<typeof i18n.setMessagesCompiler>[0]): void {
  i18n.setMessagesCompiler(compile);
}

/** Uses the texts of another language, by `<part>.<message>`; those it lacks stay English. */
export function loadTexts(language: string, texts: Readonly<Record<string, string>>): void {
  i18n.loadAndActivate({ locale: language, messages: texts });
}

/** The language of the texts. */
export function textLanguage(): string {
  return i18n.locale;
}

/** The same for lists and dates, which English writes as the British do: "A, B and C", "21 Nov". */
export function formatLanguage(): string {
  return i18n.locale === "en" ? "en-GB" : i18n.locale;
}

/** Changes each text after its parameters are filled in: see `start-language.ts`. */
export function decorateTexts(change: (text: string) => string): void {
  decorate = change;
}

/**
 * Declares the English texts of a part of the interface.
 * @returns a function for each text; its argument holds the parameters that the text names.
 */
export function defineMessages<const Texts extends Record<string, string>>(
  part: string,
  texts: Texts,
): { readonly [Name in keyof Texts]: Message<Texts[Name]> } {
  return Object.fromEntries(
    Object.entries(texts).map(([name, message]) => [name, messageOf(`${part}.${name}`, message)]),
  ) as { readonly [Name in keyof Texts]: Message<Texts[Name]> };
}

type Values = Readonly<Record<string, string | number>>;

/** A text that is not written here: in its parsed form, and with whatever parameters it names. */
export function defineParsedMessage(
  id: string,
  parts: readonly TextPart[],
): (values: Values) => string {
  return messageOf(id, parts as unknown as string);
}

function messageOf(id: string, message: string): (values?: Values) => string {
  return (values) => decorate(unmask(i18n._(id, mask(values), { message })));
}

/**
 * Lingui decodes escapes such as `\\u0041` when the values are filled in already. In a value they are what somebody wrote,
 * so backslashes are replaced meanwhile by a code that no text may contain.
 */
const MASK = "\uFDD0";

function mask(values: Values | undefined): Values | undefined {
  if (!values || !Object.values(values).some((value) => String(value).includes("\\")))
    return values;
  const masked = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string" ? value.replaceAll("\\", MASK) : value,
  ]);
  return Object.fromEntries(masked);
}

function unmask(text: string): string {
  return text.includes(MASK) ? text.replaceAll(MASK, "\\") : text;
}

type Message<Text extends string> = [ValueName<Text>] extends [never]
  ? () => string
  : (values: Readonly<Record<ValueName<Text>, string | number>>) => string;
