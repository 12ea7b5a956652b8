import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Limits } from "../../shared/limits.ts";

/** A twentieth of the server's time, while everybody behind the same address gets in after some attempts. */
const REPLACED_PER_SECOND = 100;

/**
 * Requests of a connection that are not answered yet. Browsers and proxies send the next one after the answer; Node emits all that
 * have arrived, and a hundred thousand of 50 bytes take all memory.
 */
const REQUESTS_AT_ONCE = 8;

type Sender = Pick<IncomingMessage, "socket" | "headers">;

/** Something that holds memory for a client: a TCP connection, or a Socket.IO connection over polling. */
interface Held {
  address: string;
  /** Requests that are not answered yet. */
  busy: number;
  /** The user whose request it carried last; undefined until one was authenticated. */
  user: string | undefined;
  /** It has become a socket, which is in use as long as it is open. */
  isSocket: boolean;
  end: () => void;
}

/**
 * Bounds the connections to this server, of strangers in all and of each user. Nothing here asks what a connection
 * sends, so it holds for half a request, an answer that nobody reads, an idle connection and a WebSocket alike.
 *
 * A connection belongs to strangers until a request or a handshake on it was authenticated. Beyond the bound one is
 * ended: of the address that has the most, which is the one that floods, an idle one if there is any, the oldest. Refusing the newest
 * instead would let whoever holds the bound keep everybody else out. That costs half a millisecond for each, so the address that has the most
 * replaces a bounded number a second: further ones of its own are ended before anything is read of them. Behind a proxy a connection carries requests of
 * many clients: it counts for the last one, and only idle ones are ended for a user, which proxies open again.
 */
export class ClientConnections {
  readonly #limits: Pick<Limits, "STRANGERS_CONNECTIONS" | "CONNECTIONS_PER_USER">;
  readonly #addressOf: (request: Sender) => string;
  readonly #held = new Map<object, Held>();
  /** In the order in which they were opened, by address. */
  readonly #strangers = new Map<string, Set<Held>>();
  readonly #users = new Map<string, Set<Held>>();
  #strangersCount = 0;
  #second = 0;
  #replaced = 0;

  constructor(
    addressOf: (request: Sender) => string,
    limits: Pick<Limits, "STRANGERS_CONNECTIONS" | "CONNECTIONS_PER_USER">,
  ) {
    this.#addressOf = addressOf;
    this.#limits = limits;
  }

  /** Call it when all other listeners of the server are in place: a connection or request that is refused reaches none of them. */
  watch(server: Server): void {
    const accept = server.listeners("connection");
    server.removeAllListeners("connection");
    server.on("connection", (socket: Socket) => {
      const address = this.#addressOf({ socket, headers: {} });
      this.#add(socket, address, () => socket.destroy(), false);
      socket.once("close", () => this.remove(socket));
      if (socket.destroyed) return;
      for (const listener of accept) listener.call(server, socket);
    });
    const handle = server.listeners("request");
    server.removeAllListeners("request");
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      if ((this.#held.get(request.socket)?.busy ?? 0) >= REQUESTS_AT_ONCE) {
        // Node would end each of them with an error of its own, which costs more than all the rest.
        request.destroy = () => request;
        request.socket.destroy();
        return;
      }
      const held = this.#locate(request);
      if (held) {
        held.busy += 1;
        response.once("close", () => {
          held.busy -= 1;
        });
      }
      for (const listener of handle) listener.call(server, request, response);
    });
    server.prependListener("upgrade", (request) => {
      const held = this.#locate(request);
      if (held) held.isSocket = true;
    });
  }

  /** A stranger's socket was opened that has no TCP connection of its own. */
  add(key: object, address: string, end: () => void): void {
    this.#add(key, address, end, true);
  }

  #add(key: object, address: string, end: () => void, isSocket: boolean): void {
    const held: Held = { address, busy: 0, user: undefined, isSocket, end };
    this.#held.set(key, held);
    this.#enter(held);
    if (this.#strangersCount > this.#limits.STRANGERS_CONNECTIONS) this.#endOneOfStrangers(held);
  }

  /** It carried a request or a handshake of a user. */
  authenticated(key: object, user: string): void {
    const held = this.#held.get(key);
    if (!held || held.user === user) return;
    this.#leave(held);
    held.user = user;
    this.#enter(held);
    const own = this.#users.get(user) as Set<Held>;
    if (own.size <= this.#limits.CONNECTIONS_PER_USER) return;
    for (const one of own) {
      if (one === held || one.busy > 0 || one.isSocket) continue;
      this.#end(one);
      return;
    }
  }

  isStranger(key: object): boolean {
    const held = this.#held.get(key);
    return held !== undefined && held.user === undefined;
  }

  /** It is closed. */
  remove(key: object): void {
    const held = this.#held.get(key);
    if (!held) return;
    this.#held.delete(key);
    this.#leave(held);
  }

  /** The address of a client behind a proxy is known with its first request. */
  #locate(request: IncomingMessage): Held | undefined {
    const held = this.#held.get(request.socket);
    const address = this.#addressOf(request);
    if (!held || held.address === address) return held;
    this.#leave(held);
    held.address = address;
    this.#enter(held);
    return held;
  }

  #setOf({ user, address }: Held): [Map<string, Set<Held>>, string] {
    return user === undefined ? [this.#strangers, address] : [this.#users, user];
  }

  #enter(held: Held): void {
    const [sets, key] = this.#setOf(held);
    const set = sets.get(key) ?? new Set();
    sets.set(key, set.add(held));
    if (held.user === undefined) this.#strangersCount += 1;
  }

  #leave(held: Held): void {
    const [sets, key] = this.#setOf(held);
    const set = sets.get(key);
    if (!set?.delete(held)) return;
    if (set.size === 0) sets.delete(key);
    if (held.user === undefined) this.#strangersCount -= 1;
  }

  #endOneOfStrangers(newest: Held): void {
    let most = new Set<Held>();
    for (const set of this.#strangers.values()) if (set.size > most.size) most = set;
    if (most.has(newest) && !this.#mayReplace()) {
      this.#end(newest);
      return;
    }
    const [oldest] = most;
    for (const held of most) {
      if (held.busy > 0) continue;
      this.#end(held);
      return;
    }
    if (oldest) this.#end(oldest);
  }

  /** Whether the address that has the most may still replace one of its own in this second. */
  #mayReplace(): boolean {
    const second = Math.floor(performance.now() / 1_000);
    this.#replaced = second === this.#second ? this.#replaced + 1 : 1;
    this.#second = second;
    return this.#replaced <= REPLACED_PER_SECOND;
  }

  /** It no longer counts, whatever its closing takes. */
  #end(held: Held): void {
    this.#leave(held);
    held.end();
  }
}
