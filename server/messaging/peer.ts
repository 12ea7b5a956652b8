import type { ServerToClient } from "../../shared/protocol/socket.ts";

export type ServerEvent = keyof ServerToClient;
export type MessageOf<E extends ServerEvent> = Parameters<ServerToClient[E]>[0];

/** One connection of a client, as the fan-out and the tiles use it. No method waits or throws, also after it is closed. */
export interface Peer {
  readonly id: string;
  send<E extends ServerEvent>(event: E, message: MessageOf<E>): void;
  join(room: string): void;
  leave(room: string): void;
  /** What was sent and has not left this process. */
  bufferedBytes(): number;
}

/** Sends to all peers of a Socket.IO room; the message is encoded once, whatever their number. */
export interface Broadcaster {
  toRoom<E extends ServerEvent>(room: string, event: E, message: MessageOf<E>): void;
}
