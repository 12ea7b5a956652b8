import type { WireChange } from "../../../../shared/protocol/feed.ts";
import type { ViewEvaluator, ViewRecord } from "./view-evaluator.ts";

/** Records remembered with their values; of more, only the number is known. */
const REMEMBERED_MAX_RECORDS = 2_000;
/** Records asked about at once. */
export const PROBE_MAX_RECORDS = 200;

/**
 * The records of a view that are not in its rows: those that belong there now ("3 new ↑"), and
 * those that only the server can evaluate.
 */
export class WaitingRecords {
  readonly #evaluator: ViewEvaluator;
  readonly #waiting = new Map<string, ViewRecord>();
  readonly #unknown = new Set<string>();
  #unlisted = 0;

  constructor(evaluator: ViewEvaluator) {
    this.#evaluator = evaluator;
  }

  get count(): number {
    return this.#waiting.size + this.#unlisted;
  }

  has(id: string): boolean {
    return this.#waiting.has(id);
  }

  all(): Iterable<ViewRecord> {
    return this.#waiting.values();
  }

  /**
   * Applies a change of a record that has no row. Returns the change of the view's total; null if only
   * the server knows.
   */
  applyChange(change: WireChange): number | null {
    const { record: id, kind, set } = change;
    if (kind === "delete") return this.remove(id) ? -1 : null;
    const known = this.#waiting.get(id);
    if (kind === "insert") return this.#evaluate({ id, values: set });
    if (known) return this.#evaluate({ id, values: { ...known.values, ...set } });
    if (!this.#evaluator.mayAffect(Object.keys(set))) return 0;
    return this.#enqueueUnknown(id);
  }

  #evaluate(record: ViewRecord): number | null {
    const matches = this.#evaluator.matches(record);
    if (matches === null) return this.#enqueueUnknown(record.id);
    if (!matches) return this.remove(record.id) ? -1 : 0;
    return this.add(record) ? 1 : 0;
  }

  /** Number of further records by the server's count; their ids are unknown. */
  setUnlisted(count: number): void {
    this.#unlisted = Math.max(0, count);
  }

  get listed(): number {
    return this.#waiting.size;
  }

  /** Whether the record belongs here is to be asked. */
  addUnknown(id: string): void {
    this.#enqueueUnknown(id);
  }

  #enqueueUnknown(id: string): null {
    if (this.#unknown.size < PROBE_MAX_RECORDS) this.#unknown.add(id);
    return null;
  }

  /** A record belongs to the view and has no row; false if that was known. */
  add(record: ViewRecord): boolean {
    const isNew = !this.#waiting.has(record.id);
    if (!isNew || this.#waiting.size < REMEMBERED_MAX_RECORDS) this.#waiting.set(record.id, record);
    else this.#unlisted += 1;
    return isNew;
  }

  remove(id: string): boolean {
    this.#unknown.delete(id);
    return this.#waiting.delete(id);
  }

  /** The records to ask the server about; they count as asked. */
  takeUnknown(): string[] {
    const ids = [...this.#unknown];
    this.#unknown.clear();
    return ids;
  }

  get hasUnknown(): boolean {
    return this.#unknown.size > 0;
  }
}
