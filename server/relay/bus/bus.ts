/**
 * How nodes talk to each other. A bus carries hints and copies, never truth: whatever it loses is
 * found by position in the log, so publishing neither waits nor fails.
 *
 * What both implementations guarantee (bus-contract.ts):
 * - a message reaches the subscribers of the publishing node at once, also while degraded;
 * - messages of one node reach another in the order in which they were published, or not at all:
 *   lost on the way, or too large;
 * - a handler that throws stops neither the others nor the bus;
 * - `degraded` means that messages of other nodes may be missing. It is noticed also where the
 *   connection looks well but delivers nothing.
 */
export interface Bus {
  /** `message` is a JSON value that nobody changes afterwards: the own node is handed it as it is. */
  publish(channel: string, message: unknown): void;
  /** Returns the way to unsubscribe. */
  subscribe(channel: string, handler: BusHandler): () => void;
  state(): BusState;
  onState(listener: (state: BusState) => void): () => void;
  close(): Promise<void>;
}

export type BusHandler = (message: unknown) => void;
export type BusState = "live" | "degraded";
