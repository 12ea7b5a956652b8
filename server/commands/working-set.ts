import type { Json } from "../../shared/filter/filter.ts";
import type { Field, Table, Values } from "../../shared/model/model.ts";
import type { Author } from "../../shared/protocol/record.ts";
import { type KeyRequest, keyOf } from "../store/key-holders.ts";
import type { LoadedRows } from "../store/load-for-write.ts";
import type { RowWrite } from "../store/write-statements.ts";
import type { HistoricalChange } from "./change-history.ts";

interface AppliedWrite {
  write: RowWrite;
  before: Values | null;
  by: Author;
}

/**
 * The rows of a group as its ops leave them, one after the other: the second op on a record is evaluated
 * against the result of the first, as if that had been committed.
 */
export class WorkingSet {
  readonly #loaded: LoadedRows;
  #applied: AppliedWrite[] = [];
  /** Unique values that a record held before and gave up in this group. */
  readonly #freed = new Set<string>();
  /** By table, field of a key and its text: the written records that have it, or had it. Fields are added when asked for. */
  readonly #keyTexts = new Map<string, Map<string, RecordsByText>>();

  constructor(loaded: LoadedRows) {
    this.#loaded = loaded;
  }

  record(table: Table, id: string): Values | null {
    return this.#loaded.records.get(table.name)?.get(id) ?? null;
  }

  /** Applies a write to the rows. */
  put(write: RowWrite, by: Author): void {
    this.#applied.push({ write, before: this.record(write.table, write.record), by });
    write.followsOthers = uniqueFields(write.table).some((field) =>
      this.#freed.has(uniqueKey(write.table, field, write.set[field.name] ?? null)),
    );
    this.#store(write.table, write.record, write.kind === "delete" ? null : write.row);
  }

  /** A point to which `rollback` returns: for a mutation that applies as a whole or not at all. */
  mark(): number {
    return this.#applied.length;
  }

  rollback(mark: number): void {
    for (const { write, before } of this.#applied.splice(mark).reverse()) {
      this.#store(write.table, write.record, before);
    }
  }

  #store(table: Table, id: string, values: Values | null): void {
    const rows = this.#loaded.records.get(table.name) ?? new Map<string, Values>();
    this.#loaded.records.set(table.name, rows);
    const before = rows.get(id) ?? null;
    this.#storeUniques(table, id, { before, after: values });
    for (const [field, texts] of this.#keyTexts.get(table.name) ?? []) {
      noteTexts(texts, id, [before?.[field], values?.[field]]);
    }
    if (values) rows.set(id, values);
    else rows.delete(id);
  }

  #storeUniques(
    table: Table,
    id: string,
    { before, after }: { before: Values | null; after: Values | null },
  ): void {
    for (const field of uniqueFields(table)) {
      const [old, next] = [before?.[field.name] ?? null, after?.[field.name] ?? null];
      if (old === next) continue;
      const holders = this.#holders(table, field);
      if (old !== null) {
        this.#freed.add(uniqueKey(table, field, old));
        if (holders.get(String(old)) === id) holders.delete(String(old));
      }
      if (next !== null) holders.set(String(next), id);
    }
  }

  #holders(table: Table, field: Field): Map<string, string> {
    const key = `${table.name}.${field.name}`;
    const found = this.#loaded.uniques.get(key) ?? new Map<string, string>();
    this.#loaded.uniques.set(key, found);
    return found;
  }

  /** The fields of a record that this group has changed, and (below) the last change of one of them. */
  changedFields(table: Table, record: string): string[] {
    return this.#of(table, record).flatMap(({ write }) => Object.keys(write.set));
  }

  lastChange(table: Table, record: string, field: string): HistoricalChange | undefined {
    const last = this.#of(table, record).findLast(({ write }) => field in write.set);
    return last && { before: last.before ?? {}, by: last.by, at: new Date().toISOString() };
  }

  #of(table: Table, record: string): AppliedWrite[] {
    return this.#applied.filter(
      ({ write }) => write.record === record && write.table.name === table.name,
    );
  }

  /**
   * The target of a link or `person` field: a stored record, or one created in this group; null if there is
   * none. Its values are loaded if a row filter needs them.
   */
  target(table: string, id: string): { values: Values | null } | null {
    const made = this.#loaded.records.get(table)?.get(id);
    if (made) return { values: made };
    const values = this.#loaded.targets.get(table)?.get(id);
    return values === undefined ? null : { values };
  }

  /** The record that holds a unique value in this group; races are left to the database's own constraint. */
  holderOf(table: Table, field: Field, value: Json): string | undefined {
    return this.#holders(table, field).get(String(value));
  }

  /** Whether a record that may be read has this value: a stored one, or one as the group leaves it. */
  isKeyTaken(
    request: Omit<KeyRequest, "values">,
    value: Json,
    canRead: (id: string, values: Values) => boolean,
  ): boolean {
    const { table, field } = request;
    const text = String(value);
    const written = this.#textsOf(table, field).get(text);
    const stored = this.#loaded.keys.get(keyOf(request))?.get(text) ?? [];
    if (stored.some((id) => !written?.has(id))) return true;
    return [...(written ?? [])].some((id) => {
      const values = this.record(table, id);
      return values !== null && String(values[field.name]) === text && canRead(id, values);
    });
  }

  #textsOf(table: Table, { name }: Field): RecordsByText {
    const ofTable = this.#keyTexts.get(table.name) ?? new Map<string, RecordsByText>();
    this.#keyTexts.set(table.name, ofTable);
    const found = ofTable.get(name);
    if (found) return found;
    const texts: RecordsByText = new Map();
    ofTable.set(name, texts);
    for (const { write, before } of this.#applied) {
      if (write.table.name !== table.name) continue;
      noteTexts(texts, write.record, [before?.[name], write.row[name]]);
    }
    return texts;
  }

  feed(table: string): { epoch: string; head: number } {
    return this.#loaded.feeds.get(table) ?? { epoch: "0", head: 0 };
  }
}

type RecordsByText = Map<string, Set<string>>;

function noteTexts(texts: RecordsByText, id: string, values: readonly (Json | undefined)[]): void {
  for (const value of values) {
    if (value === null || value === undefined) continue;
    const ids = texts.get(String(value)) ?? new Set();
    texts.set(String(value), ids.add(id));
  }
}

const uniqueFields = ({ fields }: Table) => fields.filter(({ unique }) => unique);

const uniqueKey = (table: Table, field: Field, value: Json) =>
  JSON.stringify([table.name, field.name, value]);
