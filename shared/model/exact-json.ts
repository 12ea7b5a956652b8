import { compareDecimals, readDecimal } from "../filter/decimal.ts";
import type { Json } from "../filter/filter.ts";

/**
 * JSON documents without loss of digits. `JSON.parse` turns every number into a double, so a number that a
 * double can't hold travels as `{"$number": "9007199254740993"}`. A key of a document that is itself called
 * `$number` travels with one more `$`. Everything else travels as plain JSON.
 */

const TAG = "$number";
const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/**
 * `JSON.parse` alters no text without any of these: it takes the fast path. A number follows one of these characters; within
 * a text, such as an id, digits are usually not meant.
 */
const mayLose = /(?:^|[[,:])\s*-?(?:[\d.]{16}|[\d.]+[eE][+-]?\d{3})|"\$+number"/;
// The closing quote is optional: otherwise an open string is tried again from each of its quotes, in quadratic time.
const stringOrNumber = /"(?:[^"\\]|\\.)*"?|-?\d[\d.]*(?:[eE][+-]?\d+)?/g;
const tagOrString = /\{\s*"\$number":\s*"([^"\\]*)"\s*\}|"(?:[^"\\]|\\.)*"?/g;
const tagLikeKey = /^"\$+number"$/;

/** Reads stored or typed JSON; throws `SyntaxError` if it is not JSON. */
export function parseExactJson(text: string): Json {
  if (!mayLose.test(text)) return JSON.parse(text);
  const tagged = text.replace(stringOrNumber, (token) =>
    tagLikeKey.test(token) ? `"$${token.slice(1)}` : tagOf(token),
  );
  return JSON.parse(tagged);
}

/**
 * Tags the numbers of a request's text that `JSON.parse` would alter. Works on the text: a reviver recurses as deep as a
 * hostile text nests, and takes 20 times as long.
 */
export function tagInexactNumbers(text: string): string {
  return mayLose.test(text) ? text.replace(stringOrNumber, tagOf) : text;
}

function tagOf(token: string): string {
  return isNumber.test(token) && !survives(token) ? `{"${TAG}":"${token}"}` : token;
}

/** The text that `parseExactJson` reads as this value: the stored form, and the form that users edit. */
export function exactJsonText(value: Json, space?: number): string {
  const text = JSON.stringify(value, null, space);
  if (!text.includes(`${TAG}"`)) return text;
  return text.replace(tagOrString, (token, number?: string) => {
    if (number !== undefined) return isNumber.test(number) ? number : token;
    return tagLikeKey.test(token) && token !== `"${TAG}"` ? `"${token.slice(2)}` : token;
  });
}

/** Whether every key `$number` in a value is the tag of a number. */
export function isWellTagged(value: Json): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellTagged);
  const entries = Object.entries(value);
  return entries.every(([key, part]) => {
    if (key !== TAG) return isWellTagged(part);
    return entries.length === 1 && typeof part === "string" && isNumber.test(part);
  });
}

/** Whether the double of a number is written as the same number. */
function survives(source: string): boolean {
  const double = Number(source);
  if (!Number.isFinite(double)) return false;
  const [exact, rounded] = [readDecimal(source), readDecimal(String(double))];
  return exact !== null && rounded !== null && compareDecimals(exact, rounded) === 0;
}
