import { Worker } from "node:worker_threads";

/** An answer of the product passes through several programs; each of them may wait for a core this often. */
const WAITS = 5;

/**
 * Runs in a thread of its own that does nothing else, so that only the machine can delay it: neither the
 * product nor a busy test. Reports the largest delay of a timer, in milliseconds, on request.
 */
const measureTimers = `
  const { parentPort } = require("node:worker_threads");
  let expected = performance.now();
  let largest = 0;
  let timer;
  const next = () => {
    largest = Math.max(largest, performance.now() - expected);
    expected = performance.now() + 5;
    timer = setTimeout(next, 5);
  };
  next();
  parentPort.once("message", () => {
    clearTimeout(timer);
    parentPort.postMessage(Math.max(largest, performance.now() - expected));
  });
`;

/**
 * How late the machine runs anything while something is measured. A bound on time that allows for it fails
 * for a slow product and not for a busy machine; a blocked server does not extend it.
 */
export class MachineLag {
  readonly #worker = new Worker(measureTimers, { eval: true });

  constructor() {
    this.#worker.unref();
  }

  /** Ends the measurement; returns how many milliseconds `limitMs` may take on this machine at this time. */
  async allowing(limitMs: number): Promise<number> {
    const lagMs = await new Promise<number>((resolve, reject) => {
      this.#worker.once("message", resolve).once("error", reject);
      this.#worker.postMessage("report");
    });
    return limitMs + WAITS * lagMs;
  }
}
