import type { TableSession } from "../../sync/window/table-session.ts";

/** After this time, a card is assumed to be beyond the loaded cards of its column. */
const MOVE_TIMEOUT_MS = 5_000;

/** Cards that have left one column's window but not yet appeared in another. They stay until they do. */
export class MovingCards {
  readonly #session: TableSession;
  readonly #onTimeout: () => void;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(session: TableSession, onTimeout: () => void) {
    this.#session = session;
    this.#onTimeout = onTimeout;
  }

  get ids(): string[] {
    return [...this.#timers.keys()];
  }

  add(id: string): void {
    if (this.#timers.has(id)) return;
    this.#session.hold(id).catch(() => {});
    const expire = () => {
      this.resolve(id);
      this.#onTimeout();
    };
    this.#timers.set(id, setTimeout(expire, MOVE_TIMEOUT_MS));
  }

  resolve(id: string): void {
    const timer = this.#timers.get(id);
    if (!timer) return;
    clearTimeout(timer);
    this.#timers.delete(id);
    this.#session.release(id);
  }

  close(): void {
    for (const id of this.ids) this.resolve(id);
  }
}
