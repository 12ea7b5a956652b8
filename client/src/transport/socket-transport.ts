import { SocketConnection, type SocketTransportOptions } from "./socket-connection.ts";
import type { Transport } from "./transport.ts";
import { fullWire } from "./wire-schemas.ts";

/** The console's line: every message of the wire. */
export function createSocketTransport(options: SocketTransportOptions = {}): Transport {
  return new SocketConnection(options, fullWire);
}
