import type { RecordView } from "../../state/record-view.ts";
import type { WindowDeps } from "./window-deps.ts";

/** New records that the server has stand above the rows up to this many; of more, the oldest get ordinary rows. */
export const PINNED_MAX_RECORDS = 2;

export type CreatedDeps = Pick<WindowDeps, "cache" | "view" | "isMyCreate">;

interface Created {
  id: string;
  /** The id that its row began with: the row stays the same one when the record is given another id. */
  rowId: string;
  /** It is in one of the view's rows, where the user asked for it, instead of above them. */
  isPlaced?: true;
}

/**
 * The user's own new records of one view, newest first: above the rows, or in the row where they began, until a realignment
 * gives them the rows of their order.
 */
export class CreatedRows {
  readonly #deps: CreatedDeps;
  #rows: readonly Created[] = [];

  constructor(deps: CreatedDeps) {
    this.#deps = deps;
  }

  /** Those above the rows. */
  get ids(): readonly string[] {
    return this.#rows.filter(({ isPlaced }) => !isPlaced).map(({ id }) => id);
  }

  /** Those in a row. */
  get placedIds(): readonly string[] {
    return this.#rows.filter(({ isPlaced }) => isPlaced).map(({ id }) => id);
  }

  /** Those above the rows that the server has. */
  get confirmedIds(): readonly string[] {
    return this.ids.filter((id) => !this.#deps.isMyCreate(id));
  }

  /** All that the server has: the next alignment takes them in. */
  get allConfirmedIds(): readonly string[] {
    return this.#rows.map(({ id }) => id).filter((id) => !this.#deps.isMyCreate(id));
  }

  get records(): readonly RecordView[] {
    return this.ids.flatMap((id) => this.#deps.view(id) ?? []);
  }

  has(id: string): boolean {
    return this.#rows.some((row) => row.id === id);
  }

  isPinned(id: string): boolean {
    return this.#rows.some((row) => row.id === id && !row.isPlaced);
  }

  /** Moves a record from above the rows into one of them, or back. */
  setPlaced(id: string, isPlaced: boolean): void {
    this.#rows = this.#rows.map((row) => {
      if (row.id !== id) return row;
      return { id, rowId: row.rowId, ...(isPlaced && { isPlaced }) };
    });
  }

  /** The id of a record's row on the screen. */
  rowId(id: string): string {
    return this.#rows.find((row) => row.id === id)?.rowId ?? id;
  }

  pin(id: string): boolean {
    if (this.has(id)) return false;
    this.#deps.cache.retain(id);
    this.#rows = [{ id, rowId: id }, ...this.#rows];
    return true;
  }

  /** The server has given the record another id: it stays in its row. */
  rename(from: string, to: string): void {
    if (!this.has(from) || this.has(to)) return;
    this.#deps.cache.retain(to);
    this.#deps.cache.release(from);
    this.#rows = this.#rows.map((row) => (row.id === from ? { ...row, id: to } : row));
  }

  /** Unpins a record that is neither pending nor stored. */
  unpinIfGone(id: string): void {
    const { isMyCreate, view } = this.#deps;
    const record = view(id);
    const isThere = record !== undefined && record.mark !== "deleted";
    if (!isMyCreate(id) && !isThere) this.unpin([id]);
  }

  unpin(ids: readonly string[]): void {
    const leaving = this.#rows.filter(({ id }) => ids.includes(id));
    this.#rows = this.#rows.filter(({ id }) => !ids.includes(id));
    for (const { id } of leaving) this.#deps.cache.release(id);
  }

  unpinAll(): void {
    this.unpin(this.#rows.map(({ id }) => id));
  }
}
