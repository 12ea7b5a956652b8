import type { Json } from "../../../shared/filter/filter.ts";
import { caseVariants, foldCase } from "../../../shared/filter/fold-case.ts";
import { type ErrorCode, errorCatalogue } from "../../../shared/protocol/errors.ts";

/** Replaces an erased value. */
export const ERASED = "[erased]";
/** Within a longer text only values of this length are replaced: shorter ones are parts of other words. */
export const PART_MIN_LENGTH = 3;

/**
 * Properties of answers, errors and events whose texts are words of the protocol or names of the model: clients switch on
 * them. Record ids are not erased (ADR 41).
 */
const protocolKeys = new Set(
  "at code epoch field fields kind messageKey missing mutation possible record right rule table tableId transition type unit version".split(
    " ",
  ),
);
/** Properties that hold values of records, whatever these are made of. */
const valueKeys = new Set(["after", "base", "before", "mine", "set", "theirs", "value", "values"]);

/** Replaces values in stored JSON and texts: as they are written, or in any case, as users write names in their own texts. */
export class Scrubber {
  readonly ignoresCase: boolean;
  readonly #whole: ReadonlySet<string>;
  readonly #parts: readonly string[];

  constructor(values: Iterable<Json>, { ignoresCase = false } = {}) {
    this.ignoresCase = ignoresCase;
    this.#whole = new Set([...values].flatMap(leaves).map((text) => this.#compared(text)));
    const isLong = (text: string) => text.length >= PART_MIN_LENGTH;
    this.#parts = [...this.#whole].filter(isLong).sort((a, b) => b.length - a.length);
  }

  /** The same values in any case. */
  ignoringCase(): Scrubber {
    return new Scrubber(this.#whole, { ignoresCase: true });
  }

  #compared(text: string): string {
    return this.ignoresCase ? foldCase(text) : text;
  }

  /** What to look for in stored JSON, as it is written there: a short value only as a whole text. */
  get needles(): string[] {
    return this.texts.map((text) => {
      const written = JSON.stringify(text);
      return text.length < PART_MIN_LENGTH ? written : written.slice(1, -1);
    });
  }

  /** Whether a value is too short to be replaced within longer texts. */
  get hasShort(): boolean {
    return this.#parts.length < this.#whole.size;
  }

  text(text: string): string {
    if (this.#whole.has(this.#compared(text))) return ERASED;
    const pattern = this.ignoresCase ? inAnyCase : escaped;
    return this.#parts.reduce(
      (rest, part) => rest.replaceAll(asWords(pattern(part)), ERASED),
      text,
    );
  }

  /** Replaces the values in an answer, an error or the detail of an event, and leaves the words of the protocol. */
  json(value: Json): Json {
    if (Array.isArray(value)) return value.map((one) => this.json(one));
    // A number is a line, a limit or a count; those of records are below `valueKeys`.
    if (typeof value === "string") return this.text(value);
    if (value === null || typeof value !== "object") return value;
    if (isSuccess(value)) return value;
    const entries = Object.entries(value).map(([key, one]) => {
      if (protocolKeys.has(key) && isWords(one)) return [key, one];
      if (key === "message" && isOwnMessage(value)) return [key, one];
      return [key, valueKeys.has(key) ? this.#value(one) : this.json(one)];
    });
    return Object.fromEntries(entries);
  }

  #value(value: Json): Json {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return this.#whole.has(String(value)) ? null : value;
    if (Array.isArray(value)) return value.map((one) => this.#value(one));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#value(one)]));
  }

  /** All values as texts, also the short ones. */
  get texts(): string[] {
    return [...this.#whole];
  }
}

/** The result of an op names a record and a version, which clients need to read it, and holds no values. */
function isSuccess(value: Readonly<Record<string, Json>>): boolean {
  return value.ok === true && typeof value.record === "string" && typeof value.version === "string";
}

function isWords(value: Json): boolean {
  return typeof value === "string" || (Array.isArray(value) && value.every(isText));
}

const isText = (value: Json) => typeof value === "string";

/** The catalogue's own sentence contains no values. */
function isOwnMessage({ code, message }: Readonly<Record<string, Json>>): boolean {
  return errorCatalogue[code as ErrorCode]?.message === message;
}

/** Finds a text between words: "Ann" is not part of "Annual". */
function asWords(pattern: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, "gu");
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** Of a folded text: each letter with all that fold to it. The flag of regular expressions folds by another rule than the database (fold-case.ts). */
function inAnyCase(folded: string): string {
  return [...folded]
    .map((one) => {
      const forms = [...new Set([one, asciiUpper(one), ...caseVariants(one).from])];
      return forms.length === 1 ? escaped(one) : `[${forms.join("")}]`;
    })
    .join("");
}

const asciiUpper = (character: string) =>
  character <= "\x7f" ? character.toUpperCase() : character;

/** The texts and numbers in a value, as texts. */
function leaves(value: Json): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value === "number") return [String(value)];
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap(leaves);
}
