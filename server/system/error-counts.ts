import type { ErrorCount } from "../../shared/protocol/system.ts";

/** How often this process refused a request, a call or a handshake, by code. */
export class ErrorCounts {
  readonly #counts = new Map<string, { count: number; lastAt: number }>();

  note(code: string): void {
    const count = (this.#counts.get(code)?.count ?? 0) + 1;
    this.#counts.set(code, { count, lastAt: Date.now() });
  }

  list(): ErrorCount[] {
    return [...this.#counts].map(([code, { count, lastAt }]) => ({
      code,
      count,
      lastAt: new Date(lastAt).toISOString(),
    }));
  }

  byCode(): Record<string, number> {
    return Object.fromEntries([...this.#counts].map(([code, { count }]) => [code, count]));
  }
}
