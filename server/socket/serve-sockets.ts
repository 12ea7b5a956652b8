import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Limits } from "../../shared/limits.ts";
import { dependsOnRole } from "../../shared/policy/role.ts";
import { unavailable } from "../../shared/protocol/errors.ts";
import type { Revocation } from "../auth/revocations.ts";
import type { FanOut } from "../relay/fan-out.ts";
import type { WallboardSubscriptions } from "../tiles/live/wallboard-subscriptions.ts";
import { type CallDeps, callsOf } from "./calls.ts";
import { type ClientSocket, Connection } from "./connection.ts";
import { type DispatchDeps, dispatch } from "./dispatch.ts";
import { guardListener } from "./guard-listener.ts";
import { guardPolling } from "./guard-polling.ts";
import { authenticateHandshake, type HandshakeDeps } from "./handshake.ts";
import { type ChangedList, listNotice, type Notice } from "./notices.ts";
import type { SocketServer } from "./open-sockets.ts";
import { type Line, PendingConnections } from "./pending-connections.ts";

export interface SocketDeps extends CallDeps, HandshakeDeps, Omit<DispatchDeps, "calls"> {
  sockets: SocketServer;
  fanOut: FanOut;
  wallboardSubscriptions: Pick<
    WallboardSubscriptions,
    "open" | "close" | "leave" | "hold" | "release"
  >;
  onRevoked: (listener: (revocation: Revocation) => void) => () => void;
  modelVersion: () => number;
  /** Bus away: others' commits may arrive late. Store away: the current data is unknown. */
  degradedReason: () => "bus" | "store" | null;
  limits: Limits;
}

const GOODBYE_FLUSH_MS = 100;
/** For the closing handshake: the library gives a client that is asleep 30 s. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Returning clients are spread over a time that grows with their number. */
const RETURN_FIRST_MS = 200;
const RETURN_PER_CONNECTION_MS = 5;
const RETURN_MAX_MS = 10_000;

/** Connects the sockets with the services behind them. */
export class Sockets {
  readonly #deps: SocketDeps;
  readonly #dispatch: DispatchDeps;
  readonly #connections = new Map<string, Connection>();
  readonly #pendingConnections: PendingConnections;
  readonly #lines = new Set<Duplex>();
  readonly #undo: () => void;
  readonly #closed = new AbortController();
  #revocations = 0;
  #closing = false;
  readonly #changedLists = new Map<ChangedList, NodeJS.Timeout>();

  constructor(deps: SocketDeps) {
    this.#deps = deps;
    this.#dispatch = { ...deps, calls: callsOf(deps) };
    this.#undo = deps.onRevoked((revocation) => this.#revoke(revocation));
    this.#pendingConnections = new PendingConnections(
      deps.addressOf,
      deps.limits.HANDSHAKES_PER_ADDRESS,
    );
    deps.sockets.use((socket, next) => {
      this.#admit(socket).then(
        () => next(),
        (error: unknown) => next(this.#refuse(error)),
      );
    });
    deps.sockets.on(
      "connection",
      this.#guard("connect", (socket: ClientSocket) => this.#connect(socket)),
    );
    void this.#checkRights();
  }

  /** Accepts connections on the port of a server. */
  attach(server: Server): void {
    // Node passes the socket of an upgrade without listeners, and Engine.IO takes only those of its own path:
    // one that is cut before must not end the process.
    const onUpgrade = this.#guard("upgrade", (_request: IncomingMessage, line: Duplex) => {
      line.on("error", () => undefined);
      this.#lines.add(line);
      line.once("close", () => this.#lines.delete(line));
    });
    server.on("upgrade", onUpgrade);
    const { sockets } = this.#deps;
    sockets.attach(server);
    guardPolling(sockets.engine, {
      credentialIn: (headers) => {
        const { readCredential } = this.#deps;
        const found = readCredential(headers, "person") ?? readCredential(headers, "display");
        return found?.token ?? null;
      },
      isPending: (line) => this.#pendingConnections.has(line),
    });
    const onLine = this.#guard("open", (line: Line) => this.#pendingConnections.add(line));
    sockets.engine.on("connection", onLine);
  }

  count(): number {
    return this.#connections.size;
  }

  /** Notifies and revalidates everybody: fields may be removed or hidden. */
  modelChanged(version: number): void {
    this.#deps.sockets.emit("model", { version });
    for (const connection of this.#connections.values()) connection.revalidate();
  }

  /** Sends a notice to the connections that it is for. */
  notify({ message, isFor }: Notice): void {
    for (const connection of this.#connections.values()) {
      if (isFor(connection.lastKnown)) connection.send("notice", message);
    }
  }

  /** Notifies the readers of a list; many changes at once are one notice. */
  listChanged(list: ChangedList): void {
    if (this.#closing || this.#changedLists.has(list)) return;
    const { delayMs, ...notice } = listNotice(list);
    const send = () => {
      this.#changedLists.delete(list);
      this.notify(notice);
    };
    this.#changedLists.set(list, setTimeout(send, delayMs));
  }

  healthChanged(): void {
    this.#deps.sockets.emit("notice", this.#health());
  }

  /** Sends goodbye and closes every connection; new ones are refused from then on. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#undo();
    this.#closed.abort();
    for (const timer of this.#changedLists.values()) clearTimeout(timer);
    const returnSpreadMs = RETURN_FIRST_MS + this.count() * RETURN_PER_CONNECTION_MS;
    for (const connection of this.#connections.values()) {
      const retryAfter = Math.round(Math.random() * Math.min(returnSpreadMs, RETURN_MAX_MS));
      connection.close("restart", retryAfter);
    }
    await sleep(GOODBYE_FLUSH_MS);
    this.#deps.sockets.disconnectSockets(true);
    this.#deps.sockets.engine.close();
    setTimeout(() => {
      for (const line of this.#lines) line.destroy();
    }, CLOSE_TIMEOUT_MS).unref();
  }

  async #admit(socket: ClientSocket): Promise<void> {
    if (this.#closing) throw unavailable();
    const asOf = this.#revocations;
    const auth: unknown = socket.handshake.auth;
    socket.data.handshake = {
      ...(await authenticateHandshake(this.#deps, auth, socket.request)),
      asOf,
    };
  }

  /** The client reads the code of the catalogue in `err.data`. */
  #refuse(error: unknown): Error {
    const refusal = this.#deps.toRefusal(error, "handshake");
    return Object.assign(new Error(refusal.code), { data: refusal.toBody() });
  }

  #connect(socket: ClientSocket): void {
    const { fanOut, wallboardSubscriptions, presence: presenceService } = this.#deps;
    this.#pendingConnections.remove(socket.conn);
    const onReleased = (released: Connection) => this.#sendStateAfterRevalidation(released);
    const connection = new Connection(socket, { ...this.#deps, onReleased });
    this.#connections.set(connection.id, connection);
    const { subject, holder } = connection.lastKnown;
    fanOut.connect(connection, subject, holder);
    const onMessage = (event: string, ...args: unknown[]) =>
      dispatch(this.#dispatch, connection, event, args);
    socket.onAny(this.#guard("message", onMessage));
    // a client may send an event of that name as well
    socket.on("error", (err: unknown) => {
      if (err instanceof Error) this.#deps.log.warn({ err }, "a socket failed");
    });
    const onDisconnect = this.#guard("disconnect", () => {
      this.#connections.delete(connection.id);
      connection.forget();
      fanOut.disconnect(connection.id);
      wallboardSubscriptions.leave(connection.id);
      presenceService.leave(connection.id);
    });
    socket.on("disconnect", onDisconnect);
    // a revocation between the look-up and now was published before this connection was listening
    if (socket.data.handshake.asOf !== this.#revocations) connection.revalidate();
    this.#sendDisplayProgram(connection);
    if (this.#deps.degradedReason()) connection.send("notice", this.#health());
    if (this.#closing) connection.close("restart");
  }

  /** A listener whose failure ends nothing. */
  #guard<Args extends unknown[]>(during: string, listener: (...args: Args) => unknown) {
    return guardListener(this.#deps.log, `socket ${during}`, listener);
  }

  /** During revalidation it was sent nothing, also no presence; and abilities may have changed. */
  #sendStateAfterRevalidation(connection: Connection): void {
    const { fanOut, presence: presenceService, modelVersion } = this.#deps;
    if (connection.lastKnown.display) {
      this.#sendDisplayProgram(connection);
      return;
    }
    connection.send("model", { version: modelVersion() });
    for (const table of fanOut.tablesOf(connection.id))
      presenceService.sendCurrent(connection, table);
  }

  #sendDisplayProgram(connection: Connection): void {
    const { display } = connection.lastKnown;
    if (display) connection.send("display", { ...display, now: new Date().toISOString() });
  }

  #revoke(revocation: Revocation): void {
    this.#revocations += 1;
    for (const connection of this.#connections.values()) {
      if (concerns(revocation, connection)) connection.revalidate();
    }
  }

  /**
   * Postgres notifies of changed rights. A missed notification, as behind a pooler that keeps no session, or
   * after a restore without triggers, is found by checking the connections one after the other.
   */
  async #checkRights(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      const pause = this.#deps.limits.RIGHTS_CHECK_INTERVAL_MS;
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      for (const connection of [...this.#connections.values()]) {
        if (!signal.aborted) await connection.checkRights();
      }
    }
  }

  #health() {
    const reason = this.#deps.degradedReason();
    return { kind: "health" as const, degraded: reason !== null, ...(reason && { reason }) };
  }
}

function concerns(revocation: Revocation, { lastKnown }: Connection): boolean {
  switch (revocation.kind) {
    case "session":
      return lastKnown.session === revocation.session;
    case "user":
      return lastKnown.user.id === revocation.user;
    case "role":
      return dependsOnRole(lastKnown.subject.role, revocation.role);
    case "token":
      return lastKnown.token?.id === revocation.token;
    case "display":
      return lastKnown.display?.id === revocation.display;
    case "all":
      return true;
  }
}
