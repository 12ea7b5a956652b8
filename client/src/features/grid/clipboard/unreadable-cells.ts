import type { Json } from "../../../../../shared/filter/filter.ts";
import type { RecordView } from "../../../state/record-view.ts";

/** A pasted, replaced or typed text that the cell could not take, and why. */
export interface UnreadableText {
  text: string;
  reason: string;
  /** The unsaved text that it is listed as, if it is. */
  listed?: string | null;
}

type UnreadableCell = { record: RecordView; field: string } & UnreadableText;

/**
 * Cells that a paste or a replacement has left out, or an edit, because their text can't be read. Each is marked until its value changes, another
 * one follows, or Escape is pressed.
 */
export class UnreadableCells {
  readonly #notes = new Map<string, UnreadableText & { value: Json }>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get size(): number {
    return this.#notes.size;
  }

  set(cells: readonly UnreadableCell[]): void {
    if (cells.length === 0 && this.size === 0) return;
    this.#notes.clear();
    this.add(cells);
  }

  /** Marks further cells. */
  add(cells: readonly UnreadableCell[]): void {
    for (const { record, field, ...note } of cells) {
      const value = record.values[field] ?? null;
      this.#notes.set(`${record.id}\n${field}`, { ...note, value });
    }
    this.#onChange();
  }

  /** Of the texts that are listed as unsaved, only these still are: the others were saved, or discarded. */
  keepListed(listed: ReadonlySet<string>): void {
    const before = this.size;
    for (const [key, note] of this.#notes)
      if (note.listed && !listed.has(note.listed)) this.#notes.delete(key);
    if (this.size !== before) this.#onChange();
  }

  of(record: RecordView, field: string): UnreadableText | null {
    const note = this.size > 0 ? this.#notes.get(`${record.id}\n${field}`) : undefined;
    return note && (record.values[field] ?? null) === note.value ? note : null;
  }
}
