/** The column of cards, whose only cell shows a whole record. */
export const CARD = "wf-card";

/** A cell on the screen, whose layers are painted separately. */
export interface LiveCell {
  readonly record: string | null;
  readonly field: string;
  /** Whether its row is above the rows. */
  readonly isAbove: boolean;
  /** The cell's own element, for popovers beside it. */
  readonly element: HTMLElement;
  paintContent(force?: boolean): void;
  paintState(): void;
  paintPresence(): void;
  paintRange(): void;
  paintFound(): void;
  paintColour(): void;
  flash(colour: string): void;
}

/**
 * The cells on the screen, by record and field. Presence, ranges and highlights are painted directly onto them, without a
 * refresh of the grid or a render of React.
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

  /**
   * The cell of a field, or the card of the record. A new record that moves above the rows, or from there into one of them, is drawn in both
   * places for a moment: `isAbove` says in which.
   */
  find(record: string, field: string, isAbove?: boolean): LiveCell | undefined {
    for (const cell of this.ofRecord(record)) {
      const isThere = isAbove === undefined || cell.isAbove === isAbove;
      if (isThere && (cell.field === field || cell.field === CARD)) return cell;
    }
    return undefined;
  }

  /** The cell that this element is. */
  showing(element: Element): LiveCell | undefined {
    for (const cell of this.#all) if (cell.element === element) return cell;
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
