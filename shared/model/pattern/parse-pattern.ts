import { type Explanation, englishText, explain } from "../../error-texts/explain.ts";
import {
  anyButNewline,
  type CodeSet,
  namedSets,
  not,
  oneOf,
  range,
  unicodeSet,
} from "./code-set.ts";

/** A pattern as a tree. */
export type PatternNode =
  | { type: "set"; set: CodeSet }
  | { type: "sequence"; parts: PatternNode[] }
  | { type: "choice"; parts: PatternNode[] }
  | { type: "repeat"; part: PatternNode; least: number; most: number };

/** A pattern that can't be parsed; the message is for its author. */
export class PatternError extends Error {
  readonly explanation: Explanation;

  constructor(explanation: Explanation) {
    super(englishText(explanation));
    this.explanation = explanation;
  }
}

const REPEAT_MAX = 1_000;
const GROUPS_MAX_DEPTH = 50;
const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11 };

/**
 * Parses the usual notation: literals, `.`, classes, `\d \w \s \p{…}`, groups, `|`, `* + ? {n,m}`. The whole
 * text must match, so `^` and `$` have no effect. What needs backtracking is refused.
 */
export function parsePattern(text: string): PatternNode {
  const reader = new PatternReader(text);
  const tree = reader.choice(0);
  if (!reader.atEnd) throw new PatternError(explain("pattern.closes"));
  return tree;
}

class PatternReader {
  readonly #characters: string[];
  #at = 0;

  constructor(text: string) {
    this.#characters = [...text];
  }

  get atEnd(): boolean {
    return this.#at >= this.#characters.length;
  }

  choice(depth: number): PatternNode {
    if (depth > GROUPS_MAX_DEPTH) throw new PatternError(explain("pattern.groups"));
    const parts = [this.#sequence(depth)];
    while (this.#take("|")) parts.push(this.#sequence(depth));
    return parts.length === 1 ? (parts[0] as PatternNode) : { type: "choice", parts };
  }

  #sequence(depth: number): PatternNode {
    const parts: PatternNode[] = [];
    while (!this.atEnd && this.#peek !== "|" && this.#peek !== ")") {
      if (this.#take("^") || this.#take("$")) continue;
      parts.push(this.#repeated(this.#atom(depth)));
    }
    return { type: "sequence", parts };
  }

  #atom(depth: number): PatternNode {
    const character = this.#next();
    switch (character) {
      case "(":
        return this.#group(depth);
      case "[":
        return { type: "set", set: this.#class() };
      case ".":
        return { type: "set", set: anyButNewline };
      case "\\":
        return { type: "set", set: this.#escaped() };
      case "*":
      case "+":
      case "?":
      case "{":
        throw new PatternError(explain("pattern.repeat", { character }));
      default:
        return { type: "set", set: only(character) };
    }
  }

  #group(depth: number): PatternNode {
    if (this.#take("?") && !this.#take(":")) {
      throw new PatternError(explain("pattern.lookaround"));
    }
    const inside = this.choice(depth + 1);
    if (!this.#take(")")) throw new PatternError(explain("pattern.open"));
    return inside;
  }

  #repeated(part: PatternNode): PatternNode {
    const bounds = this.#bounds();
    if (!bounds) return part;
    this.#take("?");
    const [least, most] = bounds;
    if (most < least || least > REPEAT_MAX || (most > REPEAT_MAX && most !== Infinity)) {
      throw new PatternError(explain("pattern.repeatLimit", { limit: REPEAT_MAX }));
    }
    return { type: "repeat", part, least, most };
  }

  #bounds(): [number, number] | null {
    if (this.#take("*")) return [0, Infinity];
    if (this.#take("+")) return [1, Infinity];
    if (this.#take("?")) return [0, 1];
    if (!this.#take("{")) return null;
    const found = /^(\d{1,4})(,?)(\d{0,4})$/.exec(this.#until("}"));
    if (!found) {
      const written = { brace: "{", exact: "{2}", range: "{2,5}" };
      throw new PatternError(explain("pattern.howOften", written));
    }
    const least = Number(found[1]);
    if (!found[2]) return [least, least];
    return [least, found[3] ? Number(found[3]) : Infinity];
  }

  #class(): CodeSet {
    const isNegated = this.#take("^");
    const sets: CodeSet[] = [];
    while (sets.length === 0 || this.#peek !== "]") sets.push(this.#classPart());
    this.#next();
    return isNegated ? not(oneOf(sets)) : oneOf(sets);
  }

  #classPart(): CodeSet {
    const first = this.#next();
    const escaped = first === "\\" ? this.#peek : "";
    if (first === "\\" && (escaped in namedSets || /^[pP]$/.test(escaped))) return this.#escaped();
    const from = first === "\\" ? this.#literal() : codeOf(first);
    if (this.#peek !== "-" || this.#characters[this.#at + 1] === "]") return range(from, from);
    this.#next();
    const last = this.#next();
    const to = last === "\\" ? this.#literal() : codeOf(last);
    if (to < from) throw new PatternError(explain("pattern.range"));
    return range(from, to);
  }

  #escaped(): CodeSet {
    const named = namedSets[this.#peek];
    if (named) {
      this.#next();
      return named;
    }
    if (this.#peek !== "p" && this.#peek !== "P") {
      const code = this.#literal();
      return range(code, code);
    }
    const isNegated = this.#next() === "P";
    const set = this.#take("{") ? unicodeSet(this.#until("}")) : null;
    if (!set) throw new PatternError(explain("pattern.property"));
    return isNegated ? not(set) : set;
  }

  /** The meaning of a backslash before a sign or a control's letter. */
  #literal(): number {
    const character = this.#next();
    const control = controls[character];
    if (control !== undefined) return control;
    if (!/[A-Za-z0-9]/.test(character)) return codeOf(character);
    throw new PatternError(explain("pattern.escape", { escape: `\\${character}` }));
  }

  get #peek(): string {
    return this.#characters[this.#at] ?? "";
  }

  #take(character: string): boolean {
    if (this.#peek !== character) return false;
    this.#at += 1;
    return true;
  }

  #next(): string {
    if (this.atEnd) throw new PatternError(explain("pattern.end"));
    this.#at += 1;
    return this.#characters[this.#at - 1] as string;
  }

  #until(end: string): string {
    let text = "";
    for (let next = this.#next(); next !== end; next = this.#next()) text += next;
    return text;
  }
}

function codeOf(character: string): number {
  return character.codePointAt(0) as number;
}

function only(character: string): CodeSet {
  return range(codeOf(character), codeOf(character));
}
