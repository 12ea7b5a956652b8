import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/**
 * What a proxy of a company does to a WebSocket: refuse its upgrade by a status or a page, never answer it, pass the upgrade and
 * swallow every byte after it, hold bytes back until there are many, or cut it after a time.
 */
export type Obstacle = "none" | "403" | "html" | "never" | "swallowed" | "held" | "cut";

export const obstacles = ["403", "html", "never", "swallowed", "held", "cut"] as const;

const PAGE = "<!doctype html><title>Access denied</title><h1>Access denied</h1>";
const HELD_MAX_BYTES = 65_536;

const answers: Partial<Record<Obstacle, string>> = {
  "403": `HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
  html: `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${PAGE.length}\r\nConnection: close\r\n\r\n${PAGE}`,
};

/**
 * A proxy in front of one server, or of several without stickiness: each request goes to the next one. Requests pass; WebSockets
 * meet an obstacle.
 */
export class ObstacleProxy implements AsyncDisposable {
  readonly url: string;
  obstacle: Obstacle = "none";
  /** Answers everything of the live connection but upgrades by a page. */
  refusesPolling = false;
  /** For the obstacle `cut`. */
  cutAfterMs = 60_000;
  /** Upgrades that were asked for, and requests of the live connection. */
  upgrades = 0;
  polls = 0;
  /** WebSockets that the obstacle `cut` has ended. */
  cuts = 0;
  readonly #server: Server;
  readonly #targets: readonly number[];
  readonly #sockets = new Set<Duplex>();
  #next = 0;

  private constructor(server: Server, targets: readonly number[]) {
    this.#server = server;
    this.#targets = targets;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("request", (incoming, answer) => this.#pass(incoming, answer));
    server.on("upgrade", (incoming, near) => this.#upgrade(incoming, near));
    server.on("connection", (socket) => this.#keep(socket));
  }

  static async start(...targets: readonly number[]): Promise<ObstacleProxy> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new ObstacleProxy(server, targets);
  }

  /** Ends every open WebSocket and request, as a proxy that is restarted with other rules. */
  reset(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.reset();
    this.#server.close();
    await once(this.#server, "close");
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => this.#sockets.delete(socket));
  }

  get #target(): number {
    this.#next += 1;
    return this.#targets[this.#next % this.#targets.length] ?? 0;
  }

  #pass(incoming: IncomingMessage, answer: ServerResponse): void {
    const isPoll = incoming.url?.startsWith("/socket.io/") ?? false;
    if (isPoll) this.polls += 1;
    if (isPoll && this.refusesPolling) {
      answer.writeHead(403, { "content-type": "text/html" }).end(PAGE);
      return;
    }
    const { method, url: path, headers } = incoming;
    const forwarded = request({ port: this.#target, method, path, headers }, (found) => {
      answer.writeHead(found.statusCode ?? 502, found.headers);
      found.pipe(answer);
    });
    forwarded.on("error", () => answer.destroy());
    answer.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  }

  #cut(near: Duplex): void {
    if (near.destroyed) return;
    near.destroy();
    this.cuts += 1;
  }

  #upgrade({ url: path, rawHeaders }: IncomingMessage, near: Duplex): void {
    this.upgrades += 1;
    const { obstacle } = this;
    if (obstacle === "never") return;
    const refusal = answers[obstacle];
    if (refusal) {
      near.end(refusal);
      return;
    }
    const far = connect(this.#target, "127.0.0.1");
    this.#keep(far);
    const lines = rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : [],
    );
    far.write(`GET ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    far.on("close", () => near.destroy());
    near.on("close", () => far.destroy());
    if (obstacle === "cut") setTimeout(() => this.#cut(near), this.cutAfterMs).unref();
    if (obstacle !== "swallowed") near.pipe(far);
    if (obstacle === "swallowed" || obstacle === "held") holdBack(far, near, obstacle);
    else far.pipe(near);
  }
}

/** Passes the answer to the upgrade on, and then nothing, or only much at a time. */
function holdBack(far: Socket, near: Duplex, obstacle: "swallowed" | "held"): void {
  let isUpgraded = false;
  let held = Buffer.alloc(0);
  far.on("data", (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    const end = isUpgraded ? -1 : held.indexOf("\r\n\r\n");
    if (end >= 0) {
      isUpgraded = true;
      near.write(held.subarray(0, end + 4));
      held = held.subarray(end + 4);
    }
    if (obstacle === "held" && held.length > HELD_MAX_BYTES) {
      near.write(held);
      held = Buffer.alloc(0);
    }
  });
}
