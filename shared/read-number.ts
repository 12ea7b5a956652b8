import { memoize } from "./memoize.ts";

/**
 * The one reading of numbers that users and files write: typed, pasted, imported, in cells, filters, limits and thresholds.
 *
 * There are two conventions: the point is decimal and the comma groups digits, or the other way round. A text is read by
 * the convention of its locale or file if that explains it. Otherwise it is read by the other one if that explains it:
 * `0.500` is a half everywhere, because no grouped number begins with 0. What neither explains is refused and stays a
 * text. So only a text that both explain, such as `1.234`, depends on the locale, and no text is ever read with a magnitude
 * that its own convention does not give it. Spaces and apostrophes group digits in both, and never end a whole part.
 *
 * Not distinguished: Swiss French writes amounts with a point, but other numbers with a comma. An amount of three decimals
 * and at most three digits before them is read there as thousands.
 */

/** The character before the fraction of a number. */
export type DecimalSign = "." | ",";

/**
 * Unsigned numbers by their decimal sign: digits, grouped in full by one and the same sign or not at all. Commas also group
 * as in India: 12,34,567.
 */
const forms: Readonly<Record<DecimalSign, RegExp>> = {
  ".": /^((?:[1-9]\d{0,2}([, '_])\d{3}(?:\2\d{3})*|[1-9]\d?(?:,\d\d)+,\d{3}|\d+)?)(?:\.(\d*))?$/,
  ",": /^((?:[1-9]\d{0,2}([. '_])\d{3}(?:\2\d{3})*|\d+)?)(?:,(\d*))?$/,
};

const SIGNED = /^(?:\((?<bracketed>[^()]*)\)|(?<sign>[+-]?)(?<bare>.*))$/s;

/** The zeros of other digits that locales write: Arabic, Persian, Devanagari, Bengali. */
const zeros = ["\u0660", "\u06f0", "\u0966", "\u09e6"].map((zero) => zero.charCodeAt(0));

/** Marks of direction, which locales put beside signs and currencies. */
export const DIRECTION_MARKS = /[\u061c\u200e\u200f]/g;

/**
 * The number that a text means, as digits with a minus and a point; null if it is none. `decimalMark` is that of the
 * locale or the file. A sign, or brackets instead of a minus, may be before the digits, but no currency, percent sign or exponent.
 */
export function readNumber(text: string, decimalMark: string): string | null {
  const own: DecimalSign = decimalMark === "," ? "," : ".";
  const { bracketed, sign, bare } = SIGNED.exec(plainSigns(text, own))?.groups ?? {};
  const unsigned = (bracketed ?? bare ?? "").trim();
  const digits = unsignedNumber(unsigned, own) ?? unsignedNumber(unsigned, own === "." ? "," : ".");
  if (digits === null) return null;
  return bracketed !== undefined || sign === "-" ? `-${digits}` : digits;
}

/** The text with the digits, spaces, apostrophes and minus of ASCII. The Arabic decimal sign and separator mean the same everywhere. */
function plainSigns(text: string, own: DecimalSign): string {
  return text
    .replace(DIRECTION_MARKS, "")
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[’٬]/g, "'")
    .replace("٫", own)
    .replace("−", "-")
    .replace(/[^\0-\x7f]/g, westernDigit);
}

function westernDigit(sign: string): string {
  const code = sign.charCodeAt(0);
  const zero = zeros.find((one) => code >= one && code < one + 10);
  return zero === undefined ? sign : String(code - zero);
}

function unsignedNumber(text: string, decimal: DecimalSign): string | null {
  const [, whole = "", , fraction = ""] = forms[decimal].exec(text) ?? [];
  if (whole === "" && fraction === "") return null;
  const plain = whole.replace(/\D/g, "") || "0";
  return fraction === "" ? plain : `${plain}.${fraction}`;
}

/** Signs before and after the digits, within brackets too: 12 %, -€3, ($5). */
const CURRENCY_BEFORE = /^([(+\-−\s]*)[€$£]/;
const SIGN_AFTER = /[%€$£](?=[\s)]*$)/;

/** A number without a percent sign or a common sign of a currency. */
export function withoutSigns(text: string): string {
  return text.replace(DIRECTION_MARKS, "").replace(CURRENCY_BEFORE, "$1").replace(SIGN_AFTER, "");
}

/**
 * How a currency is written: its signs here and in English, and its code, the longest first. Cached, because formats are
 * costly to make.
 */
const currencySigns = memoize((currency: string): readonly string[] => {
  const found = [undefined, "en"].flatMap((locale) =>
    (["symbol", "narrowSymbol", "code"] as const).flatMap((currencyDisplay) =>
      new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay })
        .formatToParts(1)
        .filter(({ type }) => type === "currency")
        .map(({ value }) => value.replace(DIRECTION_MARKS, "")),
    ),
  );
  return [...new Set(found)].sort((a, b) => b.length - a.length);
});

/** An amount without the sign of its currency before or after the digits. */
export function withoutCurrency(text: string, currency: string): string {
  const clean = text.replace(DIRECTION_MARKS, "");
  const [, before = "", amount = "", after = ""] = /^([(+\-−\s]*)(.*?)([\s)]*)$/s.exec(clean) ?? [];
  for (const sign of currencySigns(currency)) {
    if (amount.startsWith(sign)) return `${before}${amount.slice(sign.length)}${after}`;
    if (amount.endsWith(sign)) return `${before}${amount.slice(0, -sign.length)}${after}`;
  }
  return clean;
}

/** Whether an amount names another currency than this one. */
export function isOtherCurrency(text: string, currency: string): boolean {
  return /\p{Sc}|\b[A-Z]{3}\b/u.test(withoutCurrency(text, currency));
}

/** A longer text is no number: nobody can make the patterns slow. */
const AMOUNT_MAX_LENGTH = 200;
/** A number as the product itself writes it, which is read so where no convention is known. */
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** What a text of a number field says: its digits, or why it is no value of that field. */
export type ReadAmount = { digits: string } | { problem: "number" | "currency" | "percent" };

/**
 * The number of a field with what may be written beside it: the sign or code of its currency, or of percent. Another currency is
 * refused, and so is a percent sign where the field is none of percent. Where no `decimalMark` is known, a text is read that both
 * conventions read as the same number, or that is written as the product writes it.
 */
export function readAmount(
  { type, currency }: { type: string; currency?: string | undefined },
  text: string,
  decimalMark: string | undefined,
): ReadAmount {
  if (text.length > AMOUNT_MAX_LENGTH) return { problem: "number" };
  if (type !== "percent" && /%[\s)]*$/.test(text)) return { problem: "percent" };
  if (currency !== undefined && isOtherCurrency(text, currency)) return { problem: "currency" };
  const bare = withoutSigns(currency === undefined ? text : withoutCurrency(text, currency)).trim();
  if (decimalMark !== undefined) return amountOf(readNumber(bare, decimalMark));
  if (PLAIN_NUMBER.test(bare)) return amountOf(readNumber(bare, "."));
  const [point, comma] = [readNumber(bare, "."), readNumber(bare, ",")];
  return amountOf(point === comma ? point : null);
}

const amountOf = (digits: string | null): ReadAmount =>
  digits === null ? { problem: "number" } : { digits };
