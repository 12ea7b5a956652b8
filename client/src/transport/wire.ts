import type { CallName, Calls, ServerMessageName, ServerMessages } from "./transport.ts";

/** How a line reads what arrives: checked against its schema, or null where it does not fit. */
export interface Wire {
  /** The messages that are listened for. */
  names: readonly ServerMessageName[];
  readMessage<K extends ServerMessageName>(name: K, message: unknown): ServerMessages[K] | null;
  /** An answer without its `ok`. */
  readAnswer<K extends CallName>(name: K, answer: unknown): Calls[K]["answer"] | null;
}
