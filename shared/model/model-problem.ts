/** A problem of a model: where, and a sentence for its author. */
export interface ModelProblem {
  path: (string | number)[];
  message: string;
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

  add(message: string | null | undefined | false): void {
    if (message) this.found.push({ path: [...this.#path], message });
  }
}
