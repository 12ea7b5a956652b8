import { Listeners } from "../../../../shared/listeners.ts";
import { type AtomStore, createAtom } from "../../state/atom-store.ts";
import type { WindowStatus } from "../../state/window-status.ts";
import type { Flash } from "../records/flash.ts";
import type { RowsEvent } from "./record-window.ts";

/** What the screen sees of a window: its status, and events about rows, at most one of a tick. */
export class WindowState {
  readonly statusAtom;
  readonly #store: AtomStore;
  readonly #listeners = new Listeners<RowsEvent>();
  #dirty = new Set<string>();
  #status: WindowStatus = {
    phase: "loading",
    refusal: null,
    rowCount: 0,
    total: 0,
    totalExact: false,
    waiting: 0,
    displaced: 0,
  };

  constructor(store: AtomStore) {
    this.#store = store;
    this.statusAtom = createAtom(this.#status);
  }

  get status(): WindowStatus {
    return this.#status;
  }

  update(some: Partial<WindowStatus>): void {
    const names = Object.keys(some) as (keyof WindowStatus)[];
    if (names.every((name) => this.#status[name] === some[name])) return;
    this.#status = { ...this.#status, ...some };
    this.#store.set(this.statusAtom, this.#status);
  }

  /** Marks a record that looks different, for the next notification. */
  mark(id: string): void {
    this.#dirty.add(id);
  }

  emitRows(flashes: readonly Flash[]): void {
    if (this.#dirty.size === 0) return;
    const records = this.#dirty;
    this.#dirty = new Set();
    const shown = flashes.filter(({ record }) => records.has(record));
    this.#emit({ kind: "rows", records, flashes: shown });
  }

  reset(): void {
    this.#emit({ kind: "reset" });
  }

  onRows(callback: (event: RowsEvent) => void): () => void {
    return this.#listeners.add(callback);
  }

  close(): void {
    this.#listeners.clear();
  }

  #emit(event: RowsEvent): void {
    this.#listeners.emit(event);
  }
}
