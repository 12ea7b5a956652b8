import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { Transform } from "node:stream";

const PAGE = "<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>";
const BAD_GATEWAY = `HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: ${PAGE.length}\r\nConnection: close\r\n\r\n${PAGE}`;

/**
 * A connection that can fail: a TCP proxy in front of a server. `cut` breaks every connection and refuses new
 * ones until `restore`; `reset` answers every request by a 502 page, as a proxy does whose server is gone;
 * `stall` leaves them open and delivers nothing until `restore`; `freeze` does that to the current ones for
 * good, as when a router forgets them. What the server sends arrives `delayMs` later, as if it were far away.
 */
export class LineProxy implements AsyncDisposable {
  readonly url: string;
  /** May be changed at any time; nothing overtakes what is on its way. */
  delayMs = 0;
  /** What the server has sent on all connections. */
  receivedBytes = 0;
  readonly #server: Server;
  readonly #pairs = new Set<[Socket, Socket]>();
  readonly #received: Buffer[] = [];
  readonly #isTapped: boolean;
  readonly #frozen = new Set<[Socket, Socket]>();
  #state: "fine" | "cut" | "stalled" | "down" = "fine";
  #targetPort: number;

  private constructor(server: Server, url: string, targetPort: number, isTapped: boolean) {
    this.#targetPort = targetPort;
    this.#server = server;
    this.url = url;
    this.#isTapped = isTapped;
  }

  /** A tapped connection records every byte that the server sent. */
  static async start(targetPort: number, { tapped = false } = {}): Promise<LineProxy> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const proxy = new LineProxy(server, `http://127.0.0.1:${port}`, targetPort, tapped);
    server.on("connection", (near) => proxy.#join(near));
    return proxy;
  }

  /** What the server has sent on a tapped connection, as text. */
  received(): string {
    return Buffer.concat(this.#received).toString();
  }

  /** New connections lead to another server; the current ones stay where they are. */
  leadTo(targetPort: number): void {
    this.#targetPort = targetPort;
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
    if (this.#state === "stalled") for (const pair of this.#pairs) this.#connectPair(pair);
    this.#state = "fine";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    for (const pair of this.#frozen) for (const socket of pair) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #join(near: Socket): void {
    if (this.#state === "cut") {
      near.destroy();
      return;
    }
    if (this.#state === "down") {
      near.on("error", () => {}).once("data", () => near.end(BAD_GATEWAY));
      return;
    }
    const far = connect(this.#targetPort, "127.0.0.1");
    const pair: [Socket, Socket] = [near, far];
    this.#pairs.add(pair);
    const end = () => {
      this.#pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of pair) socket.on("error", end).on("close", end);
    far.on("data", (chunk: Buffer) => {
      this.receivedBytes += chunk.length;
    });
    if (this.#isTapped) far.on("data", (chunk: Buffer) => this.#received.push(chunk));
    if (this.#state === "stalled") for (const socket of pair) socket.pause();
    else this.#connectPair(pair);
  }

  #connectPair([near, far]: [Socket, Socket]): void {
    near.pipe(far);
    far.pipe(delayed(() => this.delayMs)).pipe(near);
  }
}

/** Passes each chunk on after the delay. Without one it has no buffer of its own, so that a slow reader slows the sender. */
function delayed(delayMs: () => number): Transform {
  const onTheWay: { at: number; send(): void }[] = [];
  const sendDue = () => {
    while (onTheWay[0] && onTheWay[0].at <= performance.now()) onTheWay.shift()?.send();
    // A timer may be early.
    if (onTheWay[0]) setTimeout(sendDue, Math.max(0, onTheWay[0].at - performance.now()));
  };
  const sendLater = (send: () => void) => {
    const at = Math.max(performance.now() + delayMs(), onTheWay.at(-1)?.at ?? 0);
    onTheWay.push({ at, send });
    if (onTheWay.length === 1) setTimeout(sendDue, Math.max(0, at - performance.now()));
  };
  return new Transform({
    transform(chunk, _encoding, done) {
      if (delayMs() === 0 && onTheWay.length === 0) {
        done(null, chunk);
        return;
      }
      sendLater(() => this.push(chunk));
      done();
    },
    flush: (done) => sendLater(done),
  });
}
