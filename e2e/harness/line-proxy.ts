import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { Transform } from "node:stream";

const PAGE = "<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>";
const BAD_GATEWAY = `HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: ${PAGE.length}\r\nConnection: close\r\n\r\n${PAGE}`;

/**
 * A connection that can fail: a TCP proxy in front of a server. `cut` breaks every connection and refuses new
 * ones until `mend`; `reset` answers every request by a 502 page, as a proxy does whose server is gone;
 * `stall` leaves them open and delivers nothing until `mend`; `freeze` does that to the current ones for
 * good, as when a router forgets them. A slow one delivers what the server sends `delayMs` later, as if it were far away.
 */
export class LineProxy implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;
  readonly #pairs = new Set<[Socket, Socket]>();
  readonly #received: Buffer[] = [];
  readonly #isTapped: boolean;
  readonly #frozen = new Set<[Socket, Socket]>();
  readonly #isSlow: boolean;
  #state: "fine" | "cut" | "stalled" | "down" = "fine";
  /** Of a slow connection. May change at any time. */
  delayMs = 0;

  private constructor(server: Server, url: string, kind: { tapped: boolean; slow: boolean }) {
    this.#server = server;
    this.url = url;
    this.#isTapped = kind.tapped;
    this.#isSlow = kind.slow;
  }

  /** A tapped connection records every byte that the server sent. */
  static async start(
    targetPort: number,
    { tapped = false, slow = false } = {},
  ): Promise<LineProxy> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const proxy = new LineProxy(server, `http://127.0.0.1:${port}`, { tapped, slow });
    server.on("connection", (near) => proxy.#join(near, targetPort));
    return proxy;
  }

  /** What the server has sent on a tapped connection, as text. */
  received(): string {
    return Buffer.concat(this.#received).toString();
  }

  cut(): void {
    this.#state = "cut";
    for (const [near, far] of this.#pairs) {
      near.destroy();
      far.destroy();
    }
  }

  reset(): void {
    this.cut();
    this.#state = "down";
  }

  stall(): void {
    this.#state = "stalled";
    // Only paused, one that waits for the other side to drain would be resumed then.
    for (const pair of this.#pairs) for (const socket of pair) socket.unpipe().pause();
  }

  /** Nothing more passes on the current connections, though they stay open; new ones work. */
  freeze(): void {
    for (const pair of this.#pairs) {
      this.#pairs.delete(pair);
      this.#frozen.add(pair);
      for (const socket of pair) socket.unpipe().pause();
    }
  }

  restore(): void {
    if (this.#state === "stalled") for (const pair of this.#pairs) this.#connect(pair);
    this.#state = "fine";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    for (const pair of this.#frozen) for (const socket of pair) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #join(near: Socket, targetPort: number): void {
    if (this.#state === "cut") {
      near.destroy();
      return;
    }
    if (this.#state === "down") {
      near.on("error", () => {}).once("data", () => near.end(BAD_GATEWAY));
      return;
    }
    const far = connect(targetPort, "127.0.0.1");
    const pair: [Socket, Socket] = [near, far];
    this.#pairs.add(pair);
    const end = () => {
      this.#pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of pair) socket.on("error", end).on("close", end);
    if (this.#isTapped) far.on("data", (chunk: Buffer) => this.#received.push(chunk));
    if (this.#state === "stalled") for (const socket of pair) socket.pause();
    else this.#connect(pair);
  }

  #connect([near, far]: [Socket, Socket]): void {
    near.pipe(far);
    (this.#isSlow ? far.pipe(this.#late()) : far).pipe(near);
  }

  /** Passes on in order what it is given, each part after the delay of that moment. */
  #late(): Transform {
    return new Transform({
      transform: (chunk, _encoding, done) => {
        setTimeout(() => done(null, chunk), this.delayMs);
      },
    });
  }
}
