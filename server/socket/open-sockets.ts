import { Server } from "socket.io";
import * as parser from "socket.io-parser";
import type { Limits } from "../../shared/limits.ts";
import { tagInexactNumbers } from "../../shared/model/exact-json.ts";
import type { ClientToServer, ServerToClient } from "../../shared/protocol/socket.ts";
import type { Broadcaster } from "../messaging/peer.ts";
import { hasTooManyParts } from "../policy/parse-input.ts";
import type { Handshake } from "./handshake.ts";
import type { UserShare } from "./user-share.ts";

export type SocketServer = Server<
  ClientToServer,
  ServerToClient,
  Record<string, never>,
  { handshake: Handshake; share: UserShare }
>;

/** A call has one, and an acknowledgement. */
const MESSAGE_MAX_ARGUMENTS = 8;

/**
 * Parses messages without altering a number that a double can't hold. Refuses one with too many arguments before
 * Socket.IO sees it, which would call its listeners with all of them: 100,000 overflow the stack, outside of anything
 * that could catch it. Likewise one with more objects and lists than it may have. Socket.IO closes the connection, as after any packet that can't be parsed.
 */
class SafeDecoder extends parser.Decoder {
  constructor() {
    super({ maxAttachments: MESSAGE_MAX_ARGUMENTS });
    // The first listener: what it throws is thrown by `add`, and no later listener is called.
    this.on("decoded", ({ type, data }) => {
      const isCall = type === parser.PacketType.EVENT || type === parser.PacketType.ACK;
      const names = type === parser.PacketType.EVENT ? 1 : 0;
      if (isCall && Array.isArray(data) && data.length > MESSAGE_MAX_ARGUMENTS + names) {
        throw new Error("The message has too many arguments.");
      }
    });
  }

  override add(packet: unknown): void {
    if (typeof packet === "string" && hasTooManyParts(packet)) {
      throw new Error("The message has too many objects and lists.");
    }
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
/** A WebSocket that takes longer to answer is not better than the polling that it would replace. */
const UPGRADE_TIMEOUT_MS = 3_000;

/**
 * Socket.IO, to be attached to the server of HTTP. Its connection state recovery is off: catching up uses positions and
 * the log, which survive a restart. Deflate is off: it costs a quarter of a megabyte per connection, and a
 * frame encoded for all could not be shared.
 */
export function openSockets(
  limits: Pick<Limits, "PUBLIC_BODY_MAX_BYTES" | "SOCKET_PING_MS" | "HANDSHAKE_TIMEOUT_MS">,
): SocketServer {
  return new Server({
    parser: { ...parser, Decoder: SafeDecoder },
    transports: ["websocket", "polling"],
    serveClient: false,
    perMessageDeflate: false,
    httpCompression: false,
    // Until a connection is authenticated (serve-sockets.ts).
    maxHttpBufferSize: limits.PUBLIC_BODY_MAX_BYTES,
    pingInterval: limits.SOCKET_PING_MS,
    pingTimeout: PONG_TIMEOUT_MS,
    upgradeTimeout: UPGRADE_TIMEOUT_MS,
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
