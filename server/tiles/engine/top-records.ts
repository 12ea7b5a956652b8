import { compareBy } from "../../../shared/filter/compare.ts";
import type { SortKey } from "../../../shared/filter/filter.ts";
import type { RecordPredicate } from "../../../shared/filter/matches.ts";
import type { TextOrder } from "../../../shared/filter/text-order.ts";
import { fieldKinds, type Table, type Values } from "../../../shared/model/model.ts";

export interface TopRecord {
  id: string;
  values: Values;
  entry: number | null;
}

/** This many times the shown records are held, so that a few may leave before it is read again. */
export const SPARE_RECORDS = 2;

/**
 * The first records in an order, updated from changes. It always holds exactly the beginning of the whole
 * order, up to an edge beyond which nothing is known: a record is added unless it is beyond the edge, so that
 * one that changes within it is not lost. When too many have left, the next ones are unknown, and it must be
 * read again.
 */
export class TopRecords {
  readonly #matches: RecordPredicate | null;
  readonly #compare: (a: TopRecord, b: TopRecord) => number;
  readonly #most: number;
  readonly #limit: number;
  #records: TopRecord[];
  /** Everything that is not held comes after this one, held or not; null: there are no others. */
  #edge: TopRecord | null;

  /** `read` are the first `SPARE_RECORDS * limit` records, or all if there are fewer. */
  constructor(
    at: {
      table: Table;
      sort: readonly SortKey[];
      textOrder: TextOrder;
      matches: RecordPredicate | null;
      limit: number;
    },
    read: readonly TopRecord[],
  ) {
    this.#matches = at.matches;
    this.#compare = compareBy(at.sort, fieldKinds(at.table), at.textOrder);
    this.#limit = at.limit;
    this.#most = at.limit * SPARE_RECORDS;
    this.#records = [...read];
    this.#edge = read.length < this.#most ? null : (read.at(-1) ?? null);
  }

  /** Whether the first ones are known. */
  get isExact(): boolean {
    return this.#edge === null || this.#records.length >= this.#limit;
  }

  records(): TopRecord[] {
    return this.#records.slice(0, this.#limit);
  }

  /** Applies a change of a record with this number in the order of entry; whether it concerns any record of the order, held or not. */
  apply(id: string, before: Values | null, after: Values | null, entry: number | null): boolean {
    const was = before !== null && this.#belongs(id, before);
    const is = after !== null && this.#belongs(id, after);
    if (was) this.#records = this.#records.filter((record) => record.id !== id);
    if (is) this.#insert({ id, values: after, entry });
    return was || is;
  }

  #belongs(id: string, values: Values): boolean {
    return this.#matches === null || this.#matches(id, values);
  }

  #insert(record: TopRecord): void {
    const place = this.#records.findIndex((other) => this.#compare(record, other) < 0);
    if (place >= 0) this.#records.splice(place, 0, record);
    else if (!this.#isBeyond(record)) this.#records.push(record);
    if (this.#records.length <= this.#most) return;
    this.#records.length = this.#most;
    this.#edge = this.#records.at(-1) ?? null;
  }

  #isBeyond(record: TopRecord): boolean {
    return this.#edge !== null && this.#compare(record, this.#edge) > 0;
  }
}
