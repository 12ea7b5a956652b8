import type { MessageBus } from "../../messaging/bus-channel.ts";

/**
 * Messages between the servers of one installation. A bus carries hints and copies, never the only data: a
 * lost message is recovered by its position in the log, so publishing neither waits nor fails.
 * Guarantees of both implementations (bus-contract.ts):
 * - a message reaches the subscribers of the publishing server at once, also while degraded;
 * - messages of one server reach another in the order in which they were published, or not at all: lost on
 *   the way, or too large;
 * - a subscriber receives from other servers only messages that its channel's schema accepts;
 * - a handler that throws stops neither the others nor the bus;
 * - `degraded` means that messages of other servers may be missing. It is detected also if the connection
 *   looks healthy but delivers nothing.
 */
export interface Bus extends MessageBus {
  state(): BusState;
  onState(listener: (state: BusState) => void): () => void;
  /** How many received messages were dropped since the start, by reason. */
  rejected(): RejectedMessages;
  close(): Promise<void>;
}

export type BusState = "live" | "degraded";

/**
 * `forged`: not from a server of this installation, or altered. `malformed`: from a server of this
 * installation, but not accepted by the channel's schema.
 */
export type RejectReason = "forged" | "malformed";
export type RejectedMessages = Readonly<Record<RejectReason, number>>;
