import { PROTOCOL_VERSION } from "../../../shared/protocol/socket.ts";

const ENOUGH_MS = 100;
const ANSWERED_WITHIN_MS = 30_000;

export type Frame = string | Uint8Array<ArrayBuffer>;

/** A WebSocket by hand: it can send what no library would send. */
export class RawConnection implements Disposable {
  readonly #socket: WebSocket;
  readonly #received: string[] = [];
  readonly closed: Promise<void>;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    socket.addEventListener("close", () => resolve());
    socket.addEventListener("message", ({ data }) => this.#received.push(String(data)));
  }

  static async open(port: number): Promise<RawConnection> {
    const address = `ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`;
    const line = new RawConnection(new WebSocket(address));
    await line.receive("0");
    return line;
  }

  /** The packet that signs in. */
  static hello(token: unknown): string {
    return `40${JSON.stringify({ protocol: PROTOCOL_VERSION, token })}`;
  }

  send(frame: Frame): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(frame);
  }

  /** The first frame that begins so. */
  async receive(start: string): Promise<string> {
    for (const end = Date.now() + ANSWERED_WITHIN_MS; Date.now() < end; await pause(10)) {
      const found = this.#received.find((frame) => frame.startsWith(start));
      if (found !== undefined) return found;
    }
    throw new Error(`Nothing came that begins with ${start}.`);
  }

  /** Until the server closes the connection, or has sent enough. */
  async whileOpen(): Promise<void> {
    await Promise.race([this.closed, pause(ENOUGH_MS)]);
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
