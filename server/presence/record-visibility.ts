import type { Values } from "../../shared/model/model.ts";
import { FairQueue } from "../load/budget.ts";
import type { CompiledScope } from "../policy/compiled-scope.ts";
import type { LogChange } from "../store/log-change.ts";

/** The stored values of a record; null if there is none. */
export type ReadValues = (table: string, record: string) => Promise<Values | null>;

/**
 * Simultaneous look-ups, each on a connection: users who visit many records of a locked table must not take all of them,
 * nor delay the look-ups in other tables.
 */
const AT_ONCE = 2;
const AT_ONCE_PER_TABLE = 1;
const WAITING_MAX = 10_000;

/**
 * Whether a scope includes a record, without a query each time: the values of records with presence are read
 * once and updated from the change feed. Until they are known the record counts as hidden.
 */
export class RecordVisibility {
  readonly #read: ReadValues;
  readonly #onRead: (table: string) => void;
  readonly #tables = new Map<string, Map<string, Values | null>>();
  readonly #reading = new Set<string>();

  constructor(read: ReadValues, onRead: (table: string) => void) {
    const queue = new FairQueue({
      parallel: AT_ONCE,
      perUser: AT_ONCE_PER_TABLE,
      waitingPerUser: WAITING_MAX,
    });
    this.#read = (table, record) => queue.run(table, () => read(table, record));
    this.#onRead = onRead;
  }

  sees({ table, sees }: CompiledScope, record: string): boolean {
    if (sees === null) return true;
    const values = this.#tables.get(table)?.get(record);
    if (values === undefined) this.#load(table, record);
    return values ? sees(record, values) : false;
  }

  /** Whether one of the changes is of a record with presence. */
  note(table: string, changes: readonly LogChange[]): boolean {
    const known = this.#tables.get(table);
    if (!known) return false;
    const concerned = changes.filter(
      ({ record }) => known.has(record) || this.#isRead(table, record),
    );
    for (const { record, after } of concerned) known.set(record, after);
    return concerned.length > 0;
  }

  /** Drops the records without presence. */
  retain(table: string, records: ReadonlySet<string>): void {
    const known = this.#tables.get(table);
    for (const record of known?.keys() ?? []) if (!records.has(record)) known?.delete(record);
    if (records.size === 0) this.#tables.delete(table);
  }

  /** The history is another one: all cached values are invalid. */
  forget(table: string): void {
    this.#tables.delete(table);
  }

  #isRead(table: string, record: string): boolean {
    return this.#reading.has(JSON.stringify([table, record]));
  }

  #load(table: string, record: string): void {
    const key = JSON.stringify([table, record]);
    if (this.#reading.has(key)) return;
    this.#reading.add(key);
    const known = this.#tables.get(table) ?? new Map<string, Values | null>();
    this.#tables.set(table, known);
    this.#read(table, record)
      .then((values) => {
        // a change that arrived meanwhile is newer than what was read
        if (!known.has(record)) known.set(record, values);
        this.#onRead(table);
      })
      .catch(() => undefined)
      .finally(() => this.#reading.delete(key));
  }
}
