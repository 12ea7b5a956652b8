/** A matching cell. */
export interface Match {
  record: string;
  field: string;
}

/** The row of a record as it is now; -1 where it is not loaded. */
type RowOf = (record: string) => number;

/**
 * The matching cells of the rows that were searched, in the order of the rows and columns. A row that is loaded is where
 * the grid shows it, any other where the server had it.
 */
export class MatchList {
  readonly #rowOf: RowOf;
  readonly #columns: () => readonly string[];
  /** Every row that was searched, also those without a match. */
  readonly #rows = new Map<string, number>();
  readonly #fields = new Map<string, readonly string[]>();
  #sorted: readonly Match[] | null = [];

  constructor(rowOf: RowOf, columns: () => readonly string[]) {
    this.#rowOf = rowOf;
    this.#columns = columns;
  }

  /** Stores which fields of a record match. */
  set(record: string, row: number, fields: readonly string[]): void {
    if (row >= 0 || !this.#rows.has(record)) this.#rows.set(record, row);
    if (fields.length === 0 && !this.#fields.has(record)) return;
    if (fields.length > 0) this.#fields.set(record, fields);
    else this.#fields.delete(record);
    this.#sorted = null;
  }

  remove(record: string): void {
    this.#rows.delete(record);
    if (this.#fields.delete(record)) this.#sorted = null;
  }

  has(record: string): boolean {
    return this.#rows.has(record);
  }

  /** Where the record is, or was when it was read. */
  rowOf(record: string): number {
    const row = this.#rowOf(record);
    return row >= 0 ? row : (this.#rows.get(record) ?? -1);
  }

  /** Rows have moved. */
  reorder(): void {
    this.#sorted = null;
  }

  get all(): readonly Match[] {
    this.#sorted ??= this.#sort();
    return this.#sorted;
  }

  #sort(): Match[] {
    const columns = this.#columns();
    const records = [...this.#fields.keys()].map((record) => ({ record, row: this.rowOf(record) }));
    records.sort((a, b) => a.row - b.row);
    return records.flatMap(({ record }) => {
      const fields = this.#fields.get(record) ?? [];
      return columns.filter((name) => fields.includes(name)).map((field) => ({ record, field }));
    });
  }

  /** The first match at or after a cell, or else the first of all; -1 if there is none. */
  firstFrom(row: number, column: number): number {
    const columns = this.#columns();
    const at = this.all.findIndex(({ record, field }) => {
      const place = this.rowOf(record);
      return place > row || (place === row && columns.indexOf(field) >= column);
    });
    return at < 0 && this.all.length > 0 ? 0 : at;
  }
}
