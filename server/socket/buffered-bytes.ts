import type { Socket } from "socket.io";
import type { Receiver } from "./line.ts";

/** The parts of Engine.IO and ws that say how much is waiting; neither has a public API for it. */
interface Line {
  writeBuffer?: { data?: { length?: number } }[];
  transport?: { socket?: { bufferedAmount?: number; _receiver?: Receiver } };
}

/**
 * What this process holds for a connection. What was sent on a connection and has not left this process: handed to the WebSocket, and waiting before it
 * in Engine.IO's array, which has no bound of its own. That array only grows until it is replaced, so its sum
 * is stored and only new packets are added.
 */
export class BufferMeter {
  readonly #line: Line;
  #counted: Line["writeBuffer"];
  #count = 0;
  #bytes = 0;

  constructor(socket: Pick<Socket, "conn">) {
    this.#line = socket.conn as unknown as Line;
  }

  read(): number {
    return this.#waiting() + (this.#line.transport?.socket?.bufferedAmount ?? 0);
  }

  /** What was received of a message that is not whole yet. */
  received(): number {
    const receiver = this.#line.transport?.socket?._receiver;
    return (receiver?._bufferedBytes ?? 0) + (receiver?._messageLength ?? 0);
  }

  #waiting(): number {
    const { writeBuffer = [] } = this.#line;
    if (writeBuffer !== this.#counted || writeBuffer.length < this.#count) {
      this.#counted = writeBuffer;
      this.#count = 0;
      this.#bytes = 0;
    }
    for (; this.#count < writeBuffer.length; this.#count += 1) {
      this.#bytes += writeBuffer[this.#count]?.data?.length ?? 0;
    }
    return this.#bytes;
  }
}
