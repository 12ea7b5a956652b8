/** A cell on the screen, as far as others may paint it: each layer on its own. */
export interface LiveCell {
  readonly record: string | null;
  readonly field: string;
  /** The cell's own element, for popovers that stand next to it. */
  readonly element: HTMLElement;
  paintContent(force?: boolean): void;
  paintState(): void;
  paintPresence(): void;
  paintRange(): void;
  flash(colour: string, name: string): void;
}

/**
 * The cells that are on the screen right now, by record and field. Presence, ranges and flashes are
 * painted straight onto them: no refresh of the grid, no render of React.
 */
export class LiveCells {
  readonly #byRecord = new Map<string, Set<LiveCell>>();
  readonly #all = new Set<LiveCell>();

  add(cell: LiveCell): void {
    this.#all.add(cell);
    if (cell.record !== null) this.#group(cell.record).add(cell);
  }

  remove(cell: LiveCell, record: string | null): void {
    this.#all.delete(cell);
    if (record === null) return;
    const group = this.#byRecord.get(record);
    group?.delete(cell);
    if (group?.size === 0) this.#byRecord.delete(record);
  }

  ofRecord(record: string): Iterable<LiveCell> {
    return this.#byRecord.get(record) ?? [];
  }

  find(record: string, field: string): LiveCell | undefined {
    for (const cell of this.ofRecord(record)) if (cell.field === field) return cell;
    return undefined;
  }

  all(): Iterable<LiveCell> {
    return this.#all;
  }

  #group(record: string): Set<LiveCell> {
    const existing = this.#byRecord.get(record);
    if (existing) return existing;
    const created = new Set<LiveCell>();
    this.#byRecord.set(record, created);
    return created;
  }
}
