import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { CreatedDeps, CreatedRows } from "./created-rows.ts";
import type { Alignment } from "./row-loader.ts";
import type { RowOrder } from "./row-order.ts";

/**
 * The user's new records that began in a row of the view, such as at the end of a group. They stay there until the server
 * has them and rows are aligned, whatever their values say about their place.
 */
export class BegunRows {
  readonly #deps: CreatedDeps;
  readonly #created: CreatedRows;

  constructor(deps: CreatedDeps, created: CreatedRows) {
    this.#deps = deps;
    this.#created = created;
  }

  /**
   * Moves a new record into a row, or above the rows for null, from where it is: a draft that nothing was written in begins
   * again. Returns how many rows there are more; null if it can't be moved.
   */
  place(order: RowOrder, id: string, row: number | null): number | null {
    const from = order.begun.has(id) ? order.indexOf(id) : -1;
    if (from < 0 && (row === null || order.has(id) || !this.#created.isPinned(id))) return null;
    this.#created.setPlaced(id, row !== null);
    if (from >= 0) order.remove(id);
    else this.#deps.cache.retain(id);
    if (row === null) {
      this.#deps.cache.release(id);
      return -1;
    }
    order.insert(from >= 0 && from < row ? row - 1 : row, id);
    order.begun.add(id);
    return from < 0 ? 1 : 0;
  }

  rename(order: RowOrder, from: string, to: string): void {
    if (!order.begun.has(from) || order.has(to)) return;
    this.#deps.cache.retain(to);
    this.#deps.cache.release(from);
    order.rename(from, to);
  }

  /** Records that the server has are rows like others. Returns how many were discarded, whose rows are gone. */
  update(order: RowOrder, records: Iterable<string>): number {
    const { cache, isMyCreate, view } = this.#deps;
    let discarded = 0;
    for (const id of records) {
      if (!order.begun.has(id) || isMyCreate(id)) continue;
      order.begun.delete(id);
      if (view(id)) continue;
      order.remove(id);
      cache.release(id);
      this.#created.unpin([id]);
      discarded += 1;
    }
    return discarded;
  }

  /**
   * Gives them places in a new order that `total` records belong to: of the same view below the row that they were below, with
   * an open editor the row that they had, else above the rows. Returns those that the server has stored since
   * the new order was begun.
   */
  carryOver(
    before: Alignment,
    next: Alignment,
    total: number,
    isEdited: (id: string) => boolean,
  ): string[] {
    const isSameView = deepEqual(before.view, next.view);
    const stored: string[] = [];
    for (const id of this.#created.placedIds) {
      if (next.order.has(id) || next.stored.includes(id)) continue;
      if (!before.order.has(id) || !(isSameView || isEdited(id))) {
        this.#created.setPlaced(id, false);
        continue;
      }
      this.#deps.cache.retain(id);
      if (isEdited(id)) next.order.insert(before.order.indexOf(id), id);
      else next.order.insertLike(before.order, id, total);
      if (this.#deps.isMyCreate(id)) next.order.begun.add(id);
      else stored.push(id);
    }
    return stored;
  }
}
