import type { TableSession } from "../../sync/window/table-session.ts";

/** A card that no other window has read by then lies beyond the cards of its column. */
const TRAVEL_MAX_MS = 5_000;

/** Cards on their way from one window to another: held until the other has read them. */
export class Travellers {
  readonly #session: TableSession;
  readonly #onLate: () => void;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(session: TableSession, onLate: () => void) {
    this.#session = session;
    this.#onLate = onLate;
  }

  get ids(): string[] {
    return [...this.#timers.keys()];
  }

  depart(id: string): void {
    if (this.#timers.has(id)) return;
    this.#session.hold(id).catch(() => {});
    const late = () => {
      this.arrive(id);
      this.#onLate();
    };
    this.#timers.set(id, setTimeout(late, TRAVEL_MAX_MS));
  }

  arrive(id: string): void {
    const timer = this.#timers.get(id);
    if (!timer) return;
    clearTimeout(timer);
    this.#timers.delete(id);
    this.#session.release(id);
  }

  close(): void {
    for (const id of this.ids) this.arrive(id);
  }
}
