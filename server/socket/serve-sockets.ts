import { setTimeout as sleep } from "node:timers/promises";
import type { Limits } from "../../shared/limits.ts";
import type { AdministrativeRight } from "../../shared/policy/role.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { unavailable } from "../../shared/protocol/errors.ts";
import type { PresenceMessage } from "../../shared/protocol/presence.ts";
import type { DisplayNotice } from "../../shared/protocol/signals.ts";
import type { Revocation } from "../auth/revocations.ts";
import type { FanOut } from "../relay/fan-out.ts";
import type { ViewNews } from "../store/views/listen-for-views.ts";
import type { BoardNews } from "../tiles/boards/boards.ts";
import type { Screens } from "../tiles/screens/screens.ts";
import type { AnyCall } from "./call.ts";
import { type ClientSocket, Connection } from "./connection.ts";
import { type DispatchDeps, dispatch } from "./dispatch.ts";
import { type HandshakeDeps, shakeHands } from "./handshake.ts";
import { type Mutate, mutate } from "./mutate.ts";
import type { SocketServer } from "./open-sockets.ts";
import { type PresenceDoor, presence } from "./presence.ts";
import { query, type ReadPage } from "./query.ts";
import { Strangers } from "./strangers.ts";
import { subscribe } from "./subscribe.ts";
import { leaveTiles, tiles } from "./tiles.ts";
import { unsubscribe } from "./unsubscribe.ts";

export interface SocketDeps extends HandshakeDeps, Omit<DispatchDeps, "calls"> {
  sockets: SocketServer;
  fanOut: Pick<
    FanOut,
    "connect" | "disconnect" | "subscribe" | "unsubscribe" | "hold" | "release" | "tablesOf"
  >;
  screens: Pick<Screens, "open" | "close" | "leave" | "hold" | "release">;
  presence: PresenceDoor;
  readPage: ReadPage;
  mutate: Mutate;
  onRevoked: (listener: (revocation: Revocation) => void) => () => void;
  modelVersion: () => number;
  mayRead: (subject: Subject, table: string) => boolean;
  /** Bus away: what others commit may come late. Store away: nobody knows what is true now. */
  trouble: () => "bus" | "store" | null;
  limits: Pick<
    Limits,
    | "HANDSHAKES_PER_ADDRESS"
    | "SOCKET_MESSAGES_PER_SECOND"
    | "SLOW_CLIENT_BUFFER_BYTES"
    | "RIGHTS_CHECK_INTERVAL_MS"
  >;
}

/** What main.ts tells the sockets. */
export interface Sockets {
  count(): number;
  /** Everybody is told, and judged anew: fields may be gone or hidden. */
  modelChanged(version: number): void;
  healthChanged(): void;
  /** People are told that boards are other ones. */
  boardsChanged(news: readonly BoardNews[]): void;
  /** Those whom it concerns are told that views are other ones. */
  viewsChanged(news: ViewNews): void;
  /** Tells those of the connections whose people may design wallboards who else does. */
  toDesigners(connections: readonly string[], message: PresenceMessage): void;
  /** Who manages people or roles, or reads of events, is told; many changes at once are told once. */
  peopleChanged(): void;
  /** Who manages displays is told. */
  displayChanged(display: DisplayNotice["display"]): void;
  /** Says goodbye and ends every connection; new ones are refused from then on. */
  close(): Promise<void>;
}

/** What is done to people within this time is told at once. */
const PEOPLE_NEWS_MS = 100;
const peopleRights = new Set<AdministrativeRight>(["users", "roles", "activity"]);
const GOODBYE_FLUSH_MS = 100;
/** Those who come back are spread over a time that grows with their number. */
const RETURN_FIRST_MS = 200;
const RETURN_PER_CONNECTION_MS = 5;
const RETURN_MAX_MS = 10_000;

/** Connects the sockets with the rooms behind them. */
export function serveSockets(deps: SocketDeps): Sockets {
  return new SocketRoom(deps);
}

class SocketRoom implements Sockets {
  readonly #deps: SocketDeps;
  readonly #calls: ReadonlyMap<string, AnyCall>;
  readonly #connections = new Map<string, Connection>();
  readonly #strangers: Strangers;
  readonly #undo: () => void;
  readonly #closed = new AbortController();
  #revocations = 0;
  #closing = false;
  #peopleTimer: NodeJS.Timeout | null = null;

  constructor(deps: SocketDeps) {
    this.#deps = deps;
    this.#calls = callsOf(deps);
    this.#undo = deps.onRevoked((revocation) => this.#revoke(revocation));
    this.#strangers = new Strangers(deps.addressOf, deps.limits.HANDSHAKES_PER_ADDRESS);
    deps.sockets.engine.on("connection", (line) => this.#strangers.arrive(line));
    deps.sockets.use((socket, next) => {
      this.#admit(socket).then(
        () => next(),
        (error: unknown) => next(this.#refuse(error)),
      );
    });
    deps.sockets.on("connection", (socket) => this.#connect(socket));
    void this.#review();
  }

  count(): number {
    return this.#connections.size;
  }

  modelChanged(version: number): void {
    this.#deps.sockets.emit("model", { version });
    for (const connection of this.#connections.values()) connection.doubt();
  }

  boardsChanged(news: readonly BoardNews[]): void {
    for (const connection of this.#connections.values()) {
      if (connection.lastKnown.display) continue;
      for (const one of news) connection.send("notice", { kind: "wallboard", ...one });
    }
  }

  viewsChanged({ table, owner }: ViewNews): void {
    for (const connection of this.#connections.values()) {
      const { person, subject, display } = connection.lastKnown;
      const isMine = owner === undefined || owner === person.id;
      if (display || !isMine) continue;
      if (table !== undefined && !this.#deps.mayRead(subject, table)) continue;
      connection.send("notice", { kind: "views", ...(table !== undefined && { table }) });
    }
  }

  toDesigners(connections: readonly string[], message: PresenceMessage): void {
    for (const id of connections) {
      const connection = this.#connections.get(id);
      const rights = connection?.lastKnown.subject.role.rights ?? [];
      if (rights.includes("wallboards")) connection?.send("presence", message);
    }
  }

  /** A display went dark or came back. */
  displayChanged(display: DisplayNotice["display"]): void {
    for (const connection of this.#connections.values()) {
      const { rights } = connection.lastKnown.subject.role;
      if (rights.includes("displays")) connection.send("notice", { kind: "display", display });
    }
  }

  peopleChanged(): void {
    this.#peopleTimer ??= setTimeout(() => {
      this.#peopleTimer = null;
      for (const connection of this.#connections.values()) {
        const { rights } = connection.lastKnown.subject.role;
        if (rights.some((right) => peopleRights.has(right))) {
          connection.send("notice", { kind: "people" });
        }
      }
    }, PEOPLE_NEWS_MS);
  }

  healthChanged(): void {
    this.#deps.sockets.emit("notice", this.#health());
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#undo();
    this.#closed.abort();
    clearTimeout(this.#peopleTimer ?? undefined);
    const spread = RETURN_FIRST_MS + this.count() * RETURN_PER_CONNECTION_MS;
    for (const connection of this.#connections.values()) {
      const retryAfter = Math.round(Math.random() * Math.min(spread, RETURN_MAX_MS));
      connection.end("restart", retryAfter);
    }
    await sleep(GOODBYE_FLUSH_MS);
    this.#deps.sockets.disconnectSockets(true);
    this.#deps.sockets.engine.close();
  }

  async #admit(socket: ClientSocket): Promise<void> {
    if (this.#closing) throw unavailable();
    const asOf = this.#revocations;
    const auth: unknown = socket.handshake.auth;
    socket.data.handshake = { ...(await shakeHands(this.#deps, auth, socket.request)), asOf };
  }

  /** The client reads the code of the catalogue in `err.data`. */
  #refuse(error: unknown): Error {
    const refusal = this.#deps.toRefusal(error, "handshake");
    return Object.assign(new Error(refusal.code), { data: refusal.toBody() });
  }

  #connect(socket: ClientSocket): void {
    const { fanOut, screens, presence: door } = this.#deps;
    this.#strangers.leave(socket.conn);
    const onReleased = (released: Connection) => this.#greet(released);
    const connection = new Connection(socket, { ...this.#deps, onReleased });
    this.#connections.set(connection.id, connection);
    const { subject, holder } = connection.lastKnown;
    fanOut.connect(connection, subject, holder);
    socket.onAny((event: string, ...args: unknown[]) => {
      const deps = { ...this.#deps, calls: this.#calls };
      void dispatch(deps, connection, event, args);
    });
    // a client may send an event of that name as well
    socket.on("error", (err: unknown) => {
      if (err instanceof Error) this.#deps.log.warn({ err }, "a socket failed");
    });
    socket.on("disconnect", () => {
      connection.forget();
      fanOut.disconnect(connection.id);
      screens.leave(connection.id);
      door.leave(connection.id);
      this.#connections.delete(connection.id);
    });
    // what was revoked between the look-up and now was told before anybody could hear it
    if (socket.data.handshake.asOf !== this.#revocations) connection.doubt();
    this.#tellProgram(connection);
    if (this.#deps.trouble()) connection.send("notice", this.#health());
    if (this.#closing) connection.end("restart");
  }

  /** While in doubt it was told nothing, also not of people; and abilities may be other ones now. */
  #greet(connection: Connection): void {
    const { fanOut, presence: door, modelVersion } = this.#deps;
    if (connection.lastKnown.display) {
      this.#tellProgram(connection);
      return;
    }
    connection.send("model", { version: modelVersion() });
    for (const table of fanOut.tablesOf(connection.id)) door.greet(connection, table);
  }

  #tellProgram(connection: Connection): void {
    const { display } = connection.lastKnown;
    if (display) connection.send("display", { ...display, now: new Date().toISOString() });
  }

  #revoke(revocation: Revocation): void {
    this.#revocations += 1;
    for (const connection of this.#connections.values()) {
      if (concerns(revocation, connection)) connection.doubt();
    }
  }

  /**
   * Rights are acted on when Postgres tells of them. What it could not tell, as behind a pooler that keeps no
   * session, or was not asked to, as by a restore without triggers, is found by looking: one after the other.
   */
  async #review(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      const pause = this.#deps.limits.RIGHTS_CHECK_INTERVAL_MS;
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      for (const connection of [...this.#connections.values()]) {
        if (!signal.aborted) await connection.review();
      }
    }
  }

  #health() {
    const reason = this.#deps.trouble();
    return { kind: "health" as const, degraded: reason !== null, ...(reason && { reason }) };
  }
}

function concerns(revocation: Revocation, { lastKnown }: Connection): boolean {
  switch (revocation.kind) {
    case "session":
      return lastKnown.session === revocation.session;
    case "user":
      return lastKnown.person.id === revocation.user;
    case "role":
      return lastKnown.subject.role.id === revocation.role;
    case "display":
      return lastKnown.display?.id === revocation.display;
    case "all":
      return true;
  }
}

function callsOf(deps: SocketDeps): Map<string, AnyCall> {
  const onSubscribed = (connection: Connection, table: string) =>
    deps.presence.greet(connection, table);
  const calls = {
    subscribe: subscribe({ fanOut: deps.fanOut, onSubscribed }),
    unsubscribe: unsubscribe(deps.fanOut),
    query: query(deps.readPage),
    mutate: mutate(deps.mutate),
    presence: presence(deps.presence),
    tiles: tiles(deps.screens),
    leaveTiles: leaveTiles(deps.screens),
  };
  return new Map(Object.entries(calls) as unknown as [string, AnyCall][]);
}
