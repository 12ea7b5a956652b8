import { type Explanation, explain } from "../../error-texts/explain.ts";
import { memoize } from "../../memoize.ts";
import type { CodeSet } from "./code-set.ts";
import { PatternError, type PatternNode, parsePattern } from "./parse-pattern.ts";

/**
 * Patterns that customers write, run in linear time: all alternatives are followed at once, one character at
 * a time, so that no text makes it slow. (JavaScript's regular expressions backtrack, and one hostile pattern
 * would block the server.) Server and browser run this same code.
 */

/** Steps of a compiled pattern; a text takes at most its length times this. */
const PATTERN_MAX_STEPS = 2_000;
/** Steps that one text may take, about 100 ms: a large pattern on a long text would still block the server. */
const TEXT_MAX_STEPS = 5_000_000;

type Step = { type: "set"; set: CodeSet } | { type: "jump"; to: number[] } | { type: "end" };

/** "tooLong": nobody knows, because it would take too many steps to find out. */
type PatternMatch = "match" | "mismatch" | "tooLong";

/** Why a pattern can't be used for texts of at most `maxLength` characters; null if it can. */
export function patternProblem(pattern: string, maxLength = 0): Explanation | null {
  try {
    const { steps, longestMatch } = compile(pattern);
    // What is longer than every match ends with the first character too many.
    const length = Math.min(maxLength, longestMatch) + 1;
    if (length * steps.length <= TEXT_MAX_STEPS) return null;
    return explain("pattern.sizeForText", { limit: maxLength });
  } catch (error) {
    if (error instanceof PatternError) return error.explanation;
    throw error;
  }
}

/** Whether the whole of a text matches a pattern. Throws if the pattern can't be used for any text. */
export function matchPattern(pattern: string, text: string): PatternMatch {
  const { steps } = compile(pattern);
  const active = new ActiveSteps(steps);
  active.reach([0]);
  let taken = active.size;
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    const onward: number[] = [];
    for (let index = 0; index < active.size; index += 1) {
      const at = active.list[index] as number;
      const step = steps[at];
      if (step?.type === "set" && step.set(code)) onward.push(at + 1);
    }
    if (onward.length === 0) return "mismatch";
    active.reach(onward);
    taken += active.size;
    if (taken > TEXT_MAX_STEPS) return "tooLong";
  }
  return active.has(steps.length - 1) ? "match" : "mismatch";
}

/** The steps at which a text may be after its characters so far. */
class ActiveSteps {
  readonly #steps: readonly Step[];
  readonly list: Uint16Array;
  size = 0;
  /** In which turn a step was reached last: nothing has to be cleared. */
  readonly #turns: Uint32Array;
  #turn = 0;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.list = new Uint16Array(steps.length);
    this.#turns = new Uint32Array(steps.length);
  }

  has(at: number): boolean {
    return this.#turns[at] === this.#turn;
  }

  /** Makes active what can be reached from some steps without reading a character. */
  reach(open: number[]): void {
    this.#turn += 1;
    this.size = 0;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (this.has(at)) continue;
      this.#turns[at] = this.#turn;
      this.list[this.size] = at;
      this.size += 1;
      const step = this.#steps[at];
      if (step?.type === "jump") for (const next of step.to) open.push(next);
    }
  }
}

interface Compiled {
  steps: Step[];
  /** Characters of the longest text that matches. */
  longestMatch: number;
}

const COMPILED_MAX = 1_000;

const compile = memoize((pattern: string): Compiled => {
  const steps: Step[] = [];
  const tree = parsePattern(pattern);
  lay(tree, steps);
  put(steps, { type: "end" });
  return { steps, longestMatch: longestMatchOf(tree) };
}, COMPILED_MAX);

function longestMatchOf(node: PatternNode): number {
  switch (node.type) {
    case "set":
      return 1;
    case "sequence":
      return node.parts.reduce((sum, part) => sum + longestMatchOf(part), 0);
    case "choice":
      return Math.max(...node.parts.map(longestMatchOf));
    case "repeat": {
      const once = longestMatchOf(node.part);
      return once === 0 ? 0 : once * node.most;
    }
  }
}

function put<S extends Step>(steps: Step[], step: S): S {
  if (steps.length >= PATTERN_MAX_STEPS) throw new PatternError(explain("pattern.size"));
  steps.push(step);
  return step;
}

function lay(node: PatternNode, steps: Step[]): void {
  switch (node.type) {
    case "set":
      put(steps, { type: "set", set: node.set });
      return;
    case "sequence":
      for (const part of node.parts) lay(part, steps);
      return;
    case "choice":
      layChoice(node.parts, steps);
      return;
    case "repeat":
      layRepeat(node, steps);
  }
}

function layChoice(parts: readonly PatternNode[], steps: Step[]): void {
  const fork = put(steps, { type: "jump", to: [] as number[] });
  const ends = parts.map((part) => {
    fork.to.push(steps.length);
    lay(part, steps);
    return put(steps, { type: "jump", to: [] as number[] });
  });
  for (const end of ends) end.to.push(steps.length);
}

function layRepeat({ part, least, most }: PatternNode & { type: "repeat" }, steps: Step[]): void {
  for (let count = 0; count < least; count++) lay(part, steps);
  if (most === Infinity) {
    const start = steps.length;
    const fork = put(steps, { type: "jump", to: [start + 1] });
    lay(part, steps);
    put(steps, { type: "jump", to: [start] });
    fork.to.push(steps.length);
    return;
  }
  const exits = [];
  for (let count = least; count < most; count++) {
    exits.push(put(steps, { type: "jump", to: [steps.length + 1] }));
    lay(part, steps);
  }
  for (const exit of exits) exit.to.push(steps.length);
}
