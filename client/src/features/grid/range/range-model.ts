import {
  type Bounds,
  boundsOf,
  type Cell,
  type CellRange,
  isSingle,
  rangeOf,
} from "./cell-range.ts";

/** The selected range of a grid. Listeners are notified after every change. */
export class RangeModel {
  #range: CellRange | null = null;
  #bounds: Bounds | null = null;
  readonly #listeners = new Set<() => void>();

  get range(): CellRange | null {
    return this.#range;
  }

  /** The sides of the rectangle, if it is more than the focused cell alone. */
  get shown(): Bounds | null {
    return this.#range && !isSingle(this.#range) ? this.#bounds : null;
  }

  set(range: CellRange | null): void {
    this.#range = range;
    this.#bounds = range && boundsOf(range);
    for (const listener of this.#listeners) listener();
  }

  setCell(cell: Cell): void {
    this.set(rangeOf(cell));
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
