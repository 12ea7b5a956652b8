import type { RecordCache } from "../records/record-cache.ts";
import type { RowOrder } from "./row-order.ts";

/** The rows with an open editor: they are never evicted and keep their place (C29, C30). */
export class RowsInEdit {
  readonly #cache: RecordCache;
  readonly #editors = new Map<string, number>();

  constructor(cache: RecordCache) {
    this.#cache = cache;
  }

  get ids(): Iterable<string> {
    return this.#editors.keys();
  }

  has(id: string): boolean {
    return this.#editors.has(id);
  }

  begin(id: string): void {
    this.#editors.set(id, (this.#editors.get(id) ?? 0) + 1);
  }

  end(id: string): void {
    const count = (this.#editors.get(id) ?? 0) - 1;
    if (count > 0) this.#editors.set(id, count);
    else this.#editors.delete(id);
  }

  /** The record has another id, in the same row. */
  rename(from: string, to: string): void {
    const count = this.#editors.get(from);
    if (count === undefined) return;
    this.#editors.delete(from);
    this.#editors.set(to, count);
  }

  /** Gives the rows in edit that a new order lacks the places that they had. */
  carryOver(before: RowOrder, next: RowOrder): void {
    for (const id of this.#editors.keys()) {
      if (!before.has(id) || next.has(id)) continue;
      this.#cache.retain(id);
      next.insert(before.indexOf(id), id);
    }
  }
}
