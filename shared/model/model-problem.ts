import { type Explanation, explanationOf } from "../error-texts/explain.ts";

/** A problem of a model: where, and a sentence for its author. */
export interface ModelProblem extends Explanation {
  path: (string | number)[];
}

/** Collects problems below one place of the document. */
export class ProblemList {
  readonly found: ModelProblem[];
  readonly #path: readonly (string | number)[];

  constructor(path: readonly (string | number)[] = [], found: ModelProblem[] = []) {
    this.#path = path;
    this.found = found;
  }

  at(...path: (string | number)[]): ProblemList {
    return new ProblemList([...this.#path, ...path], this.found);
  }

  add(explanation: Explanation | null | undefined | false): void {
    if (explanation) this.found.push({ path: [...this.#path], ...explanationOf(explanation) });
  }
}
