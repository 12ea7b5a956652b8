import type { z } from "zod";

/**
 * One kind of message between the servers of an installation. `name` identifies it on the bus; a message of
 * another server reaches a subscriber only if `schema` accepts it.
 */
export interface BusChannel<Message> {
  readonly name: string;
  readonly schema: z.ZodType<Message>;
}

/** Publishes and subscribes by channel (server/relay/bus/bus.ts has the guarantees). */
export interface MessageBus {
  /** `message` must not change afterwards: subscribers of this server receive the same object. */
  publish<Message>(channel: BusChannel<Message>, message: NoInfer<Message>): void;
  /** Returns a function that unsubscribes. */
  subscribe<Message>(channel: BusChannel<Message>, handler: (message: Message) => void): () => void;
}
