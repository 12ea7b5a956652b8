import type { RecordView } from "../../state/record-view.ts";
import type { RecordCache } from "../records/record-cache.ts";

/** Pinned above the rows; of more, the rest wait like anybody's. */
const PINNED_MAX_RECORDS = 50;

export interface CreatedDeps {
  cache: RecordCache;
  view(id: string): RecordView | undefined;
  /** Whether the record is one that I am creating. */
  isMyCreate(id: string): boolean;
}

/** The person's own new records of one view, newest first, until the next alignment takes them in. */
export class CreatedRows {
  readonly #deps: CreatedDeps;
  #ids: readonly string[] = [];

  constructor(deps: CreatedDeps) {
    this.#deps = deps;
  }

  get ids(): readonly string[] {
    return this.#ids;
  }

  /** Those that the server has: the next alignment takes them in. */
  get settled(): readonly string[] {
    return this.#ids.filter((id) => !this.#deps.isMyCreate(id));
  }

  get records(): readonly RecordView[] {
    return this.#ids.flatMap((id) => this.#deps.view(id) ?? []);
  }

  has(id: string): boolean {
    return this.#ids.includes(id);
  }

  pin(id: string): boolean {
    if (this.has(id) || this.#ids.length >= PINNED_MAX_RECORDS) return false;
    this.#deps.cache.retain(id);
    this.#ids = [id, ...this.#ids];
    return true;
  }

  /** Lets go of a record that is neither on its way nor there. */
  unpinIfGone(id: string): void {
    const { isMyCreate, view } = this.#deps;
    const record = view(id);
    const isThere = record !== undefined && record.mark !== "deleted";
    if (!isMyCreate(id) && !isThere) this.unpin([id]);
  }

  unpin(ids: readonly string[]): void {
    const leaving = this.#ids.filter((id) => ids.includes(id));
    this.#ids = this.#ids.filter((id) => !leaving.includes(id));
    for (const id of leaving) this.#deps.cache.release(id);
  }
}
