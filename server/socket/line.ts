import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** The parts of an Engine.IO connection, and of ws below it, that matter here; some have no public API. */
export interface Line {
  readonly request: IncomingMessage;
  close(discard: boolean): void;
  once(event: "close", listener: () => void): unknown;
  readonly transport: {
    readonly name: string;
    /** Of polling: the largest body of a POST. */
    maxHttpBufferSize?: number;
    /** Of a WebSocket. */
    readonly socket?: {
      pause?(): void;
      resume?(): void;
      terminate?(): void;
      readonly _socket?: Duplex;
      readonly _receiver?: { _maxPayload?: number };
    };
  };
}

/** Lets a connection send messages of this size. It is opened with the size that a stranger may send. */
export function allowWholeMessages({ transport }: Line, bytes: number): void {
  const receiver = transport.socket?._receiver;
  if (receiver) receiver._maxPayload = bytes;
  transport.maxHttpBufferSize = bytes;
}

/** Ends a connection at once, without a closing handshake and with what it has buffered. */
export function terminate(line: Line): void {
  line.transport.socket?.terminate?.();
  line.close(true);
}
