import { Worker } from "node:worker_threads";

/** An answer of the product passes through several programs; each of them may wait for a core this often. */
const WAITS = 5;
/** Of a longer limit the rest is waiting, which takes no longer on a busy machine. */
const COMPUTING_MAX_MS = 1_000;

/**
 * Each runs in a thread of its own that does nothing else, so that only the machine can delay it: neither the
 * product nor a busy test. Reports on request.
 *
 * The largest delay of a timer, in milliseconds: a thread that was idle waits so long for a core.
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
 * How many times longer each of some computations takes than it computes: who shares a core with ten others wakes up
 * soon, and then gets a tenth of it. One takes 20 ms, several turns of the scheduler.
 */
const measureComputing = `
  const { parentPort } = require("node:worker_threads");
  const slowdowns = [];
  let timer;
  const compute = () => {
    const began = performance.now();
    const usage = process.threadCpuUsage();
    let ms = 0;
    while (ms < 20) {
      for (let n = 0; n < 20_000; n += 1) Math.sqrt(n);
      const { user, system } = process.threadCpuUsage(usage);
      ms = (user + system) / 1_000;
    }
    slowdowns.push((performance.now() - began) / ms);
    timer = setTimeout(compute, 100);
  };
  compute();
  parentPort.once("message", () => {
    clearTimeout(timer);
    parentPort.postMessage(slowdowns);
  });
`;

/**
 * How late the machine runs anything while something is measured. A bound on time that allows for it fails
 * for a slow product and not for a busy machine; a blocked server does not extend it.
 */
export class MachineLag {
  readonly #timers = startWorker(measureTimers);
  readonly #computing = startWorker(measureComputing);

  /**
   * Ends the measurement; returns how many milliseconds `limitMs` may take on this machine at this time: a second of it may
   * be computing, which takes so many times longer, and waiting for a core comes on top.
   */
  async allowing(limitMs: number): Promise<number> {
    const [lagMs, slowdowns] = await Promise.all([
      report<number>(this.#timers),
      report<number[]>(this.#computing),
    ]);
    return allowedMs(limitMs, lagMs, slowdowns);
  }
}

/** By the median, because a single slow part says nothing of the others: it would extend every bound several times. */
export function allowedMs(limitMs: number, lagMs: number, slowdowns: readonly number[]): number {
  const sorted = slowdowns.toSorted((a, b) => a - b);
  const slowdown = sorted[Math.floor(sorted.length / 2)] ?? 1;
  const computingMs = Math.min(limitMs, COMPUTING_MAX_MS);
  return limitMs + computingMs * (slowdown - 1) + WAITS * lagMs;
}

function startWorker(source: string): Worker {
  const worker = new Worker(source, { eval: true });
  worker.unref();
  return worker;
}

function report<T>(worker: Worker): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    worker.once("message", resolve).once("error", reject);
    worker.postMessage("report");
  });
}
