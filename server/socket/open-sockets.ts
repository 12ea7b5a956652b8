import { Server } from "socket.io";
import * as parser from "socket.io-parser";
import type { Limits } from "../../shared/limits.ts";
import { tagInexactNumbers } from "../../shared/model/exact-json.ts";
import type { Broadcaster } from "../../shared/protocol/peer.ts";
import type { ClientToServer, ServerToClient } from "../../shared/protocol/socket.ts";
import type { Handshake } from "./handshake.ts";

export type SocketServer = Server<
  ClientToServer,
  ServerToClient,
  Record<string, never>,
  { handshake: Handshake }
>;

/** Parses messages without altering a number that a double can't hold. */
class ExactDecoder extends parser.Decoder {
  override add(packet: unknown): void {
    super.add(typeof packet === "string" ? exactPacket(packet) : packet);
  }
}

/** The JSON of a packet follows its type, namespace and number. */
function exactPacket(packet: string): string {
  const start = packet.search(/[[{]/);
  if (start < 0) return packet;
  return packet.slice(0, start) + tagInexactNumbers(packet.slice(start));
}

const PONG_TIMEOUT_MS = 20_000;

/**
 * Socket.IO, to be attached to the server of HTTP. Its connection state recovery is off: catching up uses positions and
 * the log, which survive a restart. Deflate is off: it costs a quarter of a megabyte per connection, and a
 * frame encoded for all could not be shared.
 */
export function openSockets(
  limits: Pick<Limits, "REQUEST_BODY_MAX_BYTES" | "SOCKET_PING_MS" | "HANDSHAKE_TIMEOUT_MS">,
): SocketServer {
  return new Server({
    parser: { ...parser, Decoder: ExactDecoder },
    transports: ["websocket", "polling"],
    serveClient: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: limits.REQUEST_BODY_MAX_BYTES,
    pingInterval: limits.SOCKET_PING_MS,
    pingTimeout: PONG_TIMEOUT_MS,
    connectTimeout: limits.HANDSHAKE_TIMEOUT_MS,
  });
}

/** Socket.IO encodes a broadcast once and hands every socket the same frame. */
export function broadcasterOf(sockets: SocketServer): Broadcaster {
  return {
    toRoom: (room, event, message) => void sockets.to(room).emit(event, ...args(message)),
  };
}

/** The message belongs to the event; the union of all events can't express that. */
function args<M>(message: M): never {
  return [message] as never;
}
