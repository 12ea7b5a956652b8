import { toNfc } from "../filter/to-nfc.ts";
import { DIRECTION_MARKS, readNumber } from "../read-number.ts";
import type { Field, Option } from "./model.ts";

/**
 * The readings of yes and no, options, durations, web addresses and telephone numbers that users and files write: one for typing, pasting and
 * importing, as read-number.ts is for numbers. A text that is none of these is left to the caller. What may be stored is decided by
 * normalize-value.ts.
 */

/** As programs and users write them in English, German, French, Spanish and Italian. */
const YES = /^(true|yes|y|1|x|on|✓|ja|wahr|oui|vrai|s[iíì])$/;
const NO = /^(false|no|n|0|off|-|nein|falsch|non|faux|falso)$/;

/** Yes or no, whatever the case; null for another text. */
export function readBoolean(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  return YES.test(word) || (NO.test(word) ? false : null);
}

/** The option that a user means by a text: its value, else its value or its label whatever the case, without spaces around it. */
export function findOption(
  { options = [] }: Pick<Field, "options">,
  text: string,
): Option | undefined {
  const written = toNfc(text);
  const wanted = written.trim().toLowerCase();
  return (
    options.find(({ value }) => value === written) ??
    options.find(({ value }) => value.toLowerCase() === wanted) ??
    options.find(({ label }) => label?.toLowerCase() === wanted)
  );
}

/** An item of a list: the option that it names, if it names one. */
export interface ReadOption {
  text: string;
  value?: string | undefined;
}

const SEPARATOR = /([,;\n])/;

/**
 * The items of a list: separated by semicolons, commas or line breaks, or written as a list in JSON. An option may contain such a sign
 * itself: of the options that a place of the text could name, the longest is meant.
 */
export function readOptions(field: Pick<Field, "options">, text: string): ReadOption[] {
  const whole = findOption(field, text);
  if (whole) return [{ text, value: whole.value }];
  const list = listIn(text);
  if (list) return list.map((item) => ({ text: item, value: findOption(field, item)?.value }));
  // Texts at even places, the signs between them at odd ones.
  const parts = text.split(SEPARATOR);
  const most = mostParts(field);
  const items: ReadOption[] = [];
  for (let at = 0; at < parts.length; ) {
    const textTo = (to: number) => parts.slice(at, to).join("").trim();
    let end = Math.min(parts.length, at + most);
    while (end > at + 1 && !findOption(field, textTo(end))) end -= 2;
    const item = textTo(end);
    if (item) items.push({ text: item, value: findOption(field, item)?.value });
    at = end + 1;
  }
  return items;
}

/** The most parts that an option consists of, with the signs between them. */
function mostParts({ options = [] }: Pick<Field, "options">): number {
  const texts = options.flatMap(({ value, label = "" }) => [value, label]);
  return Math.max(1, ...texts.map((text) => text.split(SEPARATOR).length));
}

function listIn(text: string): string[] | null {
  if (!text.trim().startsWith("[")) return null;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(String) : null;
  } catch {
    return null;
  }
}

/** The text of a list that is read as the same options: joined by a separator, or where that would be read as others, as JSON. */
export function writeOptions(
  field: Pick<Field, "options">,
  items: readonly { value: string; text: string }[],
  separator: string,
): string {
  const texts = items.map(({ text }) => text);
  const joined = texts.join(separator);
  const read = readOptions(field, joined).map(({ value, text }) => value ?? text);
  const isSame = read.length === items.length && items.every(({ value }, at) => value === read[at]);
  return isSame ? joined : JSON.stringify(texts);
}

const unitSeconds = { d: 86_400, h: 3_600, m: 60, s: 1 } as const;
const AMOUNT = "(\\d[\\d.,'’]*)";
const UNITS = new RegExp(
  `^${Object.keys(unitSeconds)
    .map((unit) => `(?:${AMOUNT}\\s*${unit})?`)
    .join("\\s*")}$`,
);

/** Seconds from "1d 2h 3m 4s", "1.5h", "1:30" (hours and minutes), "1:30:15" or a bare number of seconds; with a minus before it. */
export function readDuration(text: string, decimalMark: string): number | null {
  // Of spaces one is left, because between optional units the pattern takes cubic time over many.
  const clean = text.replace(DIRECTION_MARKS, "").trim().replace(/\s+/g, " ").toLowerCase();
  const [, minus = "", rest = ""] = /^([-\u2212]?)\s*(.*)$/s.exec(clean) ?? [];
  const seconds = secondsOf(rest, decimalMark);
  return minus === "" || !seconds ? seconds : -seconds;
}

function secondsOf(text: string, decimalMark: string): number | null {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const clock = /^(\d{1,6}):([0-5]\d)(?::([0-5]\d))?$/.exec(text);
  if (clock) return Number(clock[1]) * 3_600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0);
  const amounts = text === "" ? null : UNITS.exec(text)?.slice(1);
  if (!amounts) return null;
  const sizes = Object.values(unitSeconds);
  const seconds = amounts.reduce((sum, amount, unit) => {
    const count = amount === undefined ? "0" : readNumber(amount, decimalMark);
    return sum + (count === null ? Number.NaN : Number(count)) * (sizes[unit] ?? 0);
  }, 0);
  const whole = Math.round(seconds);
  return Math.abs(seconds - whole) < 0.001 ? whole : null;
}

/** "example.org", "www.example.org/a?b": a web address without its scheme. */
const HOST_WITHOUT_SCHEME =
  /^(?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+\p{L}{2,}(?::\d{1,5})?(?:[/?#]\S*)?$/u;

/** A web address with its scheme. */
export function readUrl(text: string): string {
  const clean = text.trim();
  return HOST_WITHOUT_SCHEME.test(clean) ? `https://${clean}` : clean;
}

/** What comes before an extension: "ext. 12", "x12", ";ext=12", "#12". */
const EXTENSION = /(?:[;,]?\s*\bext(?:ension|n)?\b[.:=]?|(?<=[\s\d)])x\.?|#)\s*(?=\d{1,8}\s*$)/i;

/** A longer text is no telephone number: nobody can make the patterns slow. */
const PHONE_MAX_LENGTH = 200;

/**
 * A telephone number without the signs that group its digits, and with its extension after an x. The zero of "+49 (0)30" is the one that is
 * dialled without the country.
 */
export function readPhone(text: string): string {
  const clean = text.trim();
  if (clean.length > PHONE_MAX_LENGTH) return clean;
  const [number = "", extension] = clean.split(EXTENSION);
  const digits = number.replace(/^(\+\d+\s*)\(0\)/, "$1").replace(/[\s()/.\u2010-\u2013-]/g, "");
  return extension === undefined ? digits : `${digits}x${extension.trim()}`;
}
