import type { RecordView } from "../../state/record-view.ts";
import type { RecordCache } from "../records/record-cache.ts";

/** So many new records that the server has may stay above the rows; of more, the oldest get ordinary rows. */
export const PINNED_MAX_RECORDS = 2;

interface Created {
  id: string;
  /** The id that its row began with: the row stays the same one when the record is given another id. */
  rowId: string;
  /** It is in one of the view's rows, where the user asked for it, instead of above them. */
  isPlaced?: true;
}

/**
 * What the user of a row list is at work in, through all alignments: their new records, the open editors, and the record with the
 * focus. A new record, newest first, is above the rows or in the row where it began, until an alignment gives it the row of its
 * order. New records are retained in the cache.
 */
export class OwnRows {
  /** The record that has the focus. */
  current: string | null = null;
  /** Whether the user is at work in the rows: the focus is in them, on a record or elsewhere. */
  isInUse = false;
  readonly #deps;
  readonly #editors = new Map<string, number>();
  #created: readonly Created[] = [];

  constructor(deps: {
    cache: RecordCache;
    view(id: string): RecordView | undefined;
    /** Whether the record is one that I am creating: the server does not have it. */
    isMyCreate(id: string): boolean;
  }) {
    this.#deps = deps;
  }

  /** The new records above the rows. */
  get above(): readonly string[] {
    return this.#created.filter(({ isPlaced }) => !isPlaced).map(({ id }) => id);
  }

  /** The new records in a row. */
  get placed(): readonly string[] {
    return this.#created.filter(({ isPlaced }) => isPlaced).map(({ id }) => id);
  }

  /** Those above the rows that the server has. */
  get storedAbove(): readonly string[] {
    return this.above.filter((id) => !this.isMyCreate(id));
  }

  /** All that the server has: the next alignment takes them in. */
  get stored(): readonly string[] {
    return this.#created.map(({ id }) => id).filter((id) => !this.isMyCreate(id));
  }

  /** The records that have an open editor. */
  get edited(): readonly string[] {
    return [...this.#editors.keys()];
  }

  isMyCreate(id: string): boolean {
    return this.#deps.isMyCreate(id);
  }

  isCreated(id: string): boolean {
    return this.#created.some((row) => row.id === id);
  }

  isAbove(id: string): boolean {
    return this.#created.some((row) => row.id === id && !row.isPlaced);
  }

  isEdited(id: string): boolean {
    return this.#editors.has(id);
  }

  /** Whether the user is in the record: a new one stays above the rows as long as they are. */
  isOccupied(id: string): boolean {
    return id === this.current || this.isEdited(id);
  }

  /** The id of a record's row on the screen. */
  rowId(id: string): string {
    return this.#created.find((row) => row.id === id)?.rowId ?? id;
  }

  /** A record that the user creates is shown above the rows. False if it is known already. */
  add(id: string): boolean {
    if (this.isCreated(id)) return false;
    this.#deps.cache.retain(id);
    this.#created = [{ id, rowId: id }, ...this.#created];
    return true;
  }

  /** Moves a new record from above the rows into one of them, or back. */
  setPlaced(id: string, isPlaced: boolean): void {
    this.#created = this.#created.map((row) => {
      if (row.id !== id) return row;
      return { id, rowId: row.rowId, ...(isPlaced && { isPlaced }) };
    });
  }

  /** These records are ordinary ones from now on, or gone. */
  remove(ids: readonly string[]): void {
    const leaving = this.#created.filter(({ id }) => ids.includes(id));
    this.#created = this.#created.filter(({ id }) => !ids.includes(id));
    for (const { id } of leaving) this.#deps.cache.release(id);
  }

  removeAll(): void {
    this.remove(this.#created.map(({ id }) => id));
  }

  /** Removes a new record that is neither pending nor stored. */
  removeIfGone(id: string): void {
    const record = this.#deps.view(id);
    const isThere = record !== undefined && record.mark !== "deleted";
    if (!this.isMyCreate(id) && !isThere) this.remove([id]);
  }

  /** The server has given the record another id: it stays in its row, and so does an editor that is open in it. */
  rename(from: string, to: string): void {
    if (this.current === from) this.current = to;
    const editors = this.#editors.get(from);
    if (editors !== undefined) {
      this.#editors.delete(from);
      this.#editors.set(to, editors);
    }
    if (!this.isCreated(from) || this.isCreated(to)) return;
    this.#deps.cache.retain(to);
    this.#deps.cache.release(from);
    this.#created = this.#created.map((row) => (row.id === from ? { ...row, id: to } : row));
  }

  beginEdit(id: string): void {
    this.#editors.set(id, (this.#editors.get(id) ?? 0) + 1);
  }

  endEdit(id: string): void {
    const count = (this.#editors.get(id) ?? 0) - 1;
    if (count > 0) this.#editors.set(id, count);
    else this.#editors.delete(id);
  }
}
