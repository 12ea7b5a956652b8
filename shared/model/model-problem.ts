/** Something that a model says and that can't be: where, and a sentence for the person who wrote it. */
export interface ModelProblem {
  path: (string | number)[];
  message: string;
}

/** Gathers problems below one place of the document. */
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
