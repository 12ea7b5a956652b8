import { setImmediate as nextTurn } from "node:timers/promises";

/** Counts work and lets the event loop go on whenever so much of it was done. */
export function nextTurnEach(units: number): (done: number) => Promise<void> | undefined {
  let left = units;
  return (done) => {
    left -= done;
    if (left > 0) return undefined;
    left = units;
    return nextTurn();
  };
}
