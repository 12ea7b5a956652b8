import type { Socket } from "socket.io-client";
import type { ErrorBody } from "../../../shared/protocol/errors.ts";
import { until } from "../../relay/testing/bus-contract.ts";

interface Received {
  event: string;
  // Tests read messages of every shape; missing properties are undefined.
  message: Record<string, unknown>;
}

/** A real Socket.IO client that records everything it was sent. */
export class TestClient {
  readonly socket: Socket;
  readonly received: Received[] = [];
  ended: string | null = null;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.onAny((event: string, message) => this.received.push({ event, message }));
    socket.on("disconnect", (reason) => {
      this.ended = reason;
    });
  }

  async connected(): Promise<void> {
    const refusal = await this.refusal();
    if (refusal) throw new Error(`Refused: ${refusal.code}`);
  }

  /** Why the handshake was refused; null if it was not. */
  refusal(): Promise<ErrorBody | null> {
    if (this.socket.connected) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.socket.once("connect", () => resolve(null));
      this.socket.once("connect_error", (error) => {
        resolve((error as Error & { data?: ErrorBody }).data ?? { code: "internal", message: "" });
      });
    });
  }

  /** Any call with any argument; rejects if no answer arrives in time. */
  call(event: string, ...args: unknown[]): Promise<Record<string, unknown>> {
    return this.socket.timeout(60_000).emitWithAck(event, ...args);
  }

  all(event: string): Record<string, unknown>[] {
    return this.received.filter((one) => one.event === event).map(({ message }) => message);
  }

  async next(event: string, count = 1): Promise<Record<string, unknown>> {
    await until(() => this.all(event).length >= count);
    return this.all(event).at(-1) as Record<string, unknown>;
  }

  async end(): Promise<string> {
    await until(() => this.ended !== null);
    return this.ended as string;
  }
}
