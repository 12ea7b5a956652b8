import type { RecordView } from "../../state/record-view.ts";
import type { RecordCache } from "../records/record-cache.ts";

/** New records that the server has stand above the rows up to this many; of more, the oldest get ordinary rows. */
export const PINNED_MAX_RECORDS = 2;

export interface CreatedDeps {
  cache: RecordCache;
  view(id: string): RecordView | undefined;
  /** Whether the record is one that I am creating. */
  isMyCreate(id: string): boolean;
}

interface Created {
  id: string;
  /** The id that its row began with: the row stays the same one when the record is given another id. */
  rowId: string;
}

/** The user's own new records of one view, newest first, until the next realignment gives them ordinary rows. */
export class CreatedRows {
  readonly #deps: CreatedDeps;
  #rows: readonly Created[] = [];

  constructor(deps: CreatedDeps) {
    this.#deps = deps;
  }

  get ids(): readonly string[] {
    return this.#rows.map(({ id }) => id);
  }

  /** Those that the server has: the next alignment takes them in. */
  get confirmedIds(): readonly string[] {
    return this.ids.filter((id) => !this.#deps.isMyCreate(id));
  }

  get records(): readonly RecordView[] {
    return this.ids.flatMap((id) => this.#deps.view(id) ?? []);
  }

  has(id: string): boolean {
    return this.#rows.some((row) => row.id === id);
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

  /** Lets go of a record that is neither on its way nor there. */
  unpinIfGone(id: string): void {
    const { isMyCreate, view } = this.#deps;
    const record = view(id);
    const isThere = record !== undefined && record.mark !== "deleted";
    if (!isMyCreate(id) && !isThere) this.unpin([id]);
  }

  unpin(ids: readonly string[]): void {
    const leaving = this.ids.filter((id) => ids.includes(id));
    this.#rows = this.#rows.filter(({ id }) => !leaving.includes(id));
    for (const id of leaving) this.#deps.cache.release(id);
  }
}
