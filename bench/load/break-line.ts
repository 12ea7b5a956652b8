import type { Socket } from "socket.io-client";

/** Closes the TCP connection of a socket without a WebSocket close frame and without a packet of Socket.IO. */
export function breakLine({ io }: Pick<Socket, "io">): void {
  const transport = io.engine.transport as { ws?: { terminate(): void } };
  transport.ws?.terminate();
}
