import type { CodeSet } from "./code-set.ts";
import { PatternError, type PatternNode, parsePattern } from "./parse-pattern.ts";

/**
 * Patterns that customers write, run in linear time: all alternatives are followed at once, one character at
 * a time, so that no text makes it slow. (JavaScript's regular expressions backtrack, and one hostile pattern
 * would block the server.) Server and browser run this same code.
 */

/** Steps of a compiled pattern; the time for a text is at most its length times this. */
const PATTERN_MAX_STEPS = 2_000;

type Step = { type: "set"; set: CodeSet } | { type: "jump"; to: number[] } | { type: "end" };

/** A sentence if a pattern can't be used; null if it can. */
export function patternProblem(pattern: string): string | null {
  try {
    compile(pattern);
    return null;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

/** Whether the whole of a text matches a pattern. Throws if `patternProblem` finds one. */
export function matchesPattern(pattern: string, text: string): boolean {
  const steps = compile(pattern);
  let activeSteps = reach(steps, [0]);
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    const onward: number[] = [];
    for (const at of activeSteps) {
      const step = steps[at];
      if (step?.type === "set" && step.set(code)) onward.push(at + 1);
    }
    if (onward.length === 0) return false;
    activeSteps = reach(steps, onward);
  }
  return activeSteps.has(steps.length - 1);
}

/** All steps that can be reached without reading a character. */
function reach(steps: readonly Step[], from: readonly number[]): Set<number> {
  const reached = new Set<number>();
  const open = [...from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    const step = steps[at];
    if (step?.type === "jump") open.push(...step.to);
  }
  return reached;
}

const compiled = new Map<string, Step[]>();
const COMPILED_MAX = 1_000;

function compile(pattern: string): Step[] {
  const known = compiled.get(pattern);
  if (known) return known;
  const steps: Step[] = [];
  lay(parsePattern(pattern), steps);
  put(steps, { type: "end" });
  if (compiled.size >= COMPILED_MAX) compiled.clear();
  compiled.set(pattern, steps);
  return steps;
}

function put<S extends Step>(steps: Step[], step: S): S {
  if (steps.length >= PATTERN_MAX_STEPS) throw new PatternError("The pattern is too large.");
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
