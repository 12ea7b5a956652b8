/** Called with what a listener threw; the others were called all the same. */
type OnThrow = (error: unknown) => void;

/** A set of listeners of which none can stop the others. */
export class Listeners<T> {
  readonly #onThrow: OnThrow;
  readonly #all = new Set<(value: T) => void>();

  constructor(onThrow: OnThrow) {
    this.#onThrow = onThrow;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Returns a function that removes it. */
  add(listener: (value: T) => void): () => void {
    const own = (value: T) => listener(value);
    this.#all.add(own);
    return () => this.#all.delete(own);
  }

  emit(value: T): void {
    for (const listener of this.#all) {
      try {
        listener(value);
      } catch (error) {
        this.#onThrow(error);
      }
    }
  }
}
