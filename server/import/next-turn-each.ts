import { setImmediate as nextTurn } from "node:timers/promises";

/** Counts work and yields to the event loop after each such amount. */
export function nextTurnEach(units: number): (done: number) => Promise<void> | undefined {
  let left = units;
  return (done) => {
    left -= done;
    if (left > 0) return undefined;
    left = units;
    return nextTurn();
  };
}
