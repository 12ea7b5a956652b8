import type pg from "pg";
import type { SlowStatement } from "../../shared/protocol/system.ts";

/** The slowest statements of this process, by their text without values. */

/** Statements that took at least this long are counted. */
const SLOW_MS = 100;
const TEXTS_MAX = 50;
const TEXT_MAX_CHARS = 400;

export class StatementTimes {
  readonly #times = new Map<string, { calls: number; totalMs: number; maxMs: number }>();

  note(text: string, ms: number): void {
    if (ms < SLOW_MS) return;
    const key = withoutValues(text);
    const before = this.#times.get(key) ?? { calls: 0, totalMs: 0, maxMs: 0 };
    const { calls, totalMs, maxMs } = before;
    this.#times.set(key, {
      calls: calls + 1,
      totalMs: totalMs + ms,
      maxMs: Math.max(maxMs, ms),
    });
    if (this.#times.size > TEXTS_MAX) this.#forgetLeast();
  }

  /** Those that took most time in all come first. */
  list(): SlowStatement[] {
    return [...this.#times]
      .sort(([, a], [, b]) => b.totalMs - a.totalMs)
      .map(([text, { calls, totalMs, maxMs }]) => ({
        text,
        calls,
        meanMs: Math.round(totalMs / calls),
        maxMs: Math.round(maxMs),
      }));
  }

  #forgetLeast(): void {
    const [least] = [...this.#times].sort(([, a], [, b]) => a.totalMs - b.totalMs);
    if (least) this.#times.delete(least[0]);
  }
}

/** Literals, also those that definitions of tables have, as `?`; lists of parameters as one. */
export function withoutValues(text: string): string {
  const bare = text
    .replace(/'(?:[^']|'')*'/g, "?")
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "?")
    .replace(/(?<![$\w."])\d+(?:\.\d+)?\b/g, "?")
    .replace(/\$\d+(?:\s*,\s*\$\d+)+/g, "$…")
    .replace(/\s+/g, " ")
    .trim();
  return bare.length > TEXT_MAX_CHARS ? `${bare.slice(0, TEXT_MAX_CHARS)}…` : bare;
}

/** Measures every statement of a pool, with the time that it waits for a connection. */
export function timeStatements(pool: pg.Pool, times: StatementTimes): void {
  const timed = (query: (...args: unknown[]) => unknown) =>
    function timedQuery(...args: unknown[]): unknown {
      const began = performance.now();
      const running = query(...args);
      // With a callback there is no promise: that is how the pool calls its own clients.
      if (running instanceof Promise) {
        const note = () => times.note(textOf(args[0]), performance.now() - began);
        running.then(note, note);
      }
      return running;
    };
  pool.query = timed(pool.query.bind(pool) as never) as typeof pool.query;
  pool.on("connect", (client) => {
    client.query = timed(client.query.bind(client) as never) as typeof client.query;
  });
}

function textOf(query: unknown): string {
  if (typeof query === "string") return query;
  const { text } = (query ?? {}) as { text?: unknown };
  return typeof text === "string" ? text : "";
}
