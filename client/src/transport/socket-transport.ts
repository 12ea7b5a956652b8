import { SocketLine, type SocketTransportOptions } from "./socket-line.ts";
import type { Transport } from "./transport.ts";
import { fullWire } from "./wire-schemas.ts";

/** The console's line: every message of the wire. */
export function createSocketTransport(options: SocketTransportOptions = {}): Transport {
  return new SocketLine(options, fullWire);
}
