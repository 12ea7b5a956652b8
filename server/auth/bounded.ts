import { FairQueue } from "./fair-queue.ts";

/**
 * Runs at most `parallel` tasks at once and queues at most `waiting` more. Rejects any further task
 * with `rate_limited`.
 */
export function bounded(parallel: number, waiting: number) {
  const queue = new FairQueue({ parallel, perUser: parallel, waitingPerUser: waiting });
  return <T>(task: () => Promise<T>): Promise<T> => queue.run("", task);
}
