import { Refusal } from "../../shared/protocol/errors.ts";

/**
 * Lets at most `parallel` of the given work run at once and `waiting` more queue; what comes beyond
 * is refused, so that a flood of costly calls can't pile up.
 */
export function bounded(parallel: number, waiting: number) {
  const queue: (() => void)[] = [];
  let running = 0;

  return async function run<T>(work: () => Promise<T>): Promise<T> {
    if (running >= parallel) {
      if (queue.length >= waiting) throw new Refusal("rate_limited", { retryAfter: 1 });
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
