/**
 * Whoever wants to hear of something: the one way in which an object announces its changes. What React draws is
 * an atom (client/src/state) or, in an object that a screen makes for itself, read by `useSyncExternalStore` with `add`.
 */
export class Listeners<Event = void> {
  readonly #all = new Set<(event: Event) => void>();
  readonly #onThrow: ((error: unknown) => void) | undefined;

  /** @param onThrow gets what a listener threw, and the others are called all the same; without it, it is thrown. */
  constructor(onThrow?: (error: unknown) => void) {
    this.#onThrow = onThrow;
  }

  get size(): number {
    return this.#all.size;
  }

  /** @returns a function that removes it. */
  readonly add = (listener: (event: Event) => void): (() => void) => {
    const own = (event: Event) => listener(event);
    this.#all.add(own);
    return () => void this.#all.delete(own);
  };

  emit(event: Event): void {
    for (const listener of this.#all) {
      try {
        listener(event);
      } catch (error) {
        if (!this.#onThrow) throw error;
        this.#onThrow(error);
      }
    }
  }

  clear(): void {
    this.#all.clear();
  }
}
