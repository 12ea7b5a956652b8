import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Limits } from "../../shared/limits.ts";
import { dependsOnRole } from "../../shared/policy/role.ts";
import { unavailable } from "../../shared/protocol/errors.ts";
import type { ClientConnections } from "../load/client-connections.ts";
import type { FanOut } from "../relay/fan-out.ts";
import type { ChangeNotifier, TopicChange } from "../store/change-notifier.ts";
import type { WallboardSubscriptions } from "../tiles/live/wallboard-subscriptions.ts";
import { type CallDeps, callsOf } from "./calls.ts";
import { type ClientSocket, Connection } from "./connection.ts";
import { type DispatchDeps, dispatch } from "./dispatch.ts";
import { guardListener } from "./guard-listener.ts";
import { guardPolling } from "./guard-polling.ts";
import { authenticateHandshake, type HandshakeDeps } from "./handshake.ts";
import { allowWholeMessages, boundMessages, boundPayloads, type Line, terminate } from "./line.ts";
import { type ChangedList, listNotice, type Notice } from "./notices.ts";
import type { SocketServer } from "./open-sockets.ts";
import { UserShares } from "./user-share.ts";

export interface SocketDeps extends CallDeps, HandshakeDeps, Omit<DispatchDeps, "calls"> {
  sockets: SocketServer;
  connections: ClientConnections;
  fanOut: FanOut;
  wallboardSubscriptions: Pick<
    WallboardSubscriptions,
    "open" | "close" | "leave" | "hold" | "release"
  >;
  notifier: ChangeNotifier;
  modelVersion: () => number;
  /** Bus away: others' commits may arrive late. Store away: the current data is unknown. */
  degradedReason: () => "bus" | "store" | null;
  limits: Limits;
}

const GOODBYE_FLUSH_MS = 100;
/** For the closing handshake: the library gives a client that is asleep, or floods, 30 s. */
const CLOSE_TIMEOUT_MS = 1_000;
/** A client sends its credential, and at most a pong and an upgrade, before it is authenticated. */
const STRANGER_PACKETS = 16;
/** Returning clients are spread over a time that grows with their number. */
const RETURN_FIRST_MS = 200;
const RETURN_PER_CONNECTION_MS = 5;
const RETURN_MAX_MS = 10_000;

/** Connects the sockets with the services behind them. */
export class Sockets {
  readonly #deps: SocketDeps;
  readonly #dispatch: DispatchDeps;
  readonly #connections = new Map<string, Connection>();
  readonly #shares: UserShares;
  readonly #lines = new Set<Duplex>();
  readonly #undo: () => void;
  readonly #closed = new AbortController();
  #revocations = 0;
  #closing = false;
  readonly #changedLists = new Map<ChangedList, NodeJS.Timeout>();

  constructor(deps: SocketDeps) {
    this.#deps = deps;
    this.#shares = new UserShares(deps.limits);
    this.#dispatch = { ...deps, calls: callsOf(deps) };
    this.#undo = deps.notifier.on(["session", "user", "role", "token", "display"], (change) =>
      this.#revoke(change),
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
    const { sockets, connections, limits } = this.#deps;
    const onUpgrade = this.#guard("upgrade", (_request: IncomingMessage, line: Duplex) => {
      line.on("error", () => undefined);
      this.#lines.add(line);
      // Socket.IO closes it at the same time, but politely: one that sends and does not read would stay.
      const authenticated = setTimeout(() => {
        if (connections.isStranger(line)) line.destroy();
      }, limits.HANDSHAKE_TIMEOUT_MS + CLOSE_TIMEOUT_MS);
      line.once("close", () => {
        clearTimeout(authenticated);
        this.#lines.delete(line);
      });
    });
    server.on("upgrade", onUpgrade);
    sockets.attach(server);
    boundMessages(sockets.engine);
    guardPolling(sockets.engine, {
      credentialIn: (headers) => {
        const { readCredential } = this.#deps;
        const found = readCredential(headers, "person") ?? readCredential(headers, "display");
        return found?.token ?? null;
      },
    });
    sockets.engine.on(
      "connection",
      this.#guard("open", (line: Line) => this.#open(line)),
    );
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

  /** Engine.IO has opened a connection, for nobody yet. */
  #open(line: Line): void {
    const { connections, addressOf } = this.#deps;
    if (line.transport.name === "polling") {
      connections.add(line, addressOf(line.request), () => line.close(true));
      boundPayloads(line);
    }
    this.#boundPackets(line);
    line.once("close", () => {
      const isStranger = connections.isStranger(line.request.socket);
      connections.remove(line);
      // Until then, ws reads what a client still sends.
      setTimeout(() => terminate(line), isStranger ? 0 : CLOSE_TIMEOUT_MS).unref();
    });
  }

  /** A stranger has nothing to send but a credential: one who sends more is ended. */
  #boundPackets(line: Line): void {
    let packets = 0;
    const count = () => {
      packets += 1;
      if (packets <= STRANGER_PACKETS) return;
      line.off("packet", count);
      if (this.#isStranger(line)) terminate(line);
    };
    line.on("packet", count);
  }

  #isStranger(line: Line): boolean {
    const { connections } = this.#deps;
    return connections.isStranger(line) || connections.isStranger(line.request.socket);
  }

  async #admit(socket: ClientSocket): Promise<void> {
    if (this.#closing) throw unavailable();
    const asOf = this.#revocations;
    const auth: unknown = socket.handshake.auth;
    const handshake = await authenticateHandshake(this.#deps, auth, socket.request);
    const { share, release } = this.#shares.admit(handshake.identity.subject.id);
    // Counted until the line closes, also where it never connects.
    if (socket.conn.readyState === "open") socket.conn.once("close", release);
    else release();
    socket.data = { handshake: { ...handshake, asOf }, share };
  }

  /** The client reads the code of the catalogue in `err.data`. */
  #refuse(error: unknown): Error {
    const refusal = this.#deps.toRefusal(error, "handshake");
    return Object.assign(new Error(refusal.code), { data: refusal.toBody() });
  }

  #connect(socket: ClientSocket): void {
    const { fanOut, wallboardSubscriptions, presence: presenceService } = this.#deps;
    this.#authenticated(socket);
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

  /** Its connections are those of a user from now on, who may send longer messages. */
  #authenticated({ conn, request, data }: ClientSocket): void {
    const { connections, limits } = this.#deps;
    const line = conn as unknown as Line;
    const { subject } = data.handshake.identity;
    const admit = () => {
      connections.authenticated(line, subject.id);
      connections.authenticated(line.transport.socket?._socket ?? request.socket, subject.id);
      allowWholeMessages(line, limits.REQUEST_BODY_MAX_BYTES);
    };
    admit();
    conn.on("upgrade", admit);
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

  #revoke(change: TopicChange): void {
    this.#revocations += 1;
    for (const connection of this.#connections.values()) {
      if (concerns(change, connection)) connection.revalidate();
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

function concerns({ topic, id }: TopicChange, { lastKnown, isRevalidating }: Connection): boolean {
  switch (topic) {
    case "session":
      return id === null || lastKnown.session === id;
    case "user":
      return id === null || lastKnown.user.id === id;
    case "role":
      return (
        id === null ||
        // The role that is being looked up may be another one than the last known.
        isRevalidating ||
        dependsOnRole(lastKnown.subject.role, id) ||
        lastKnown.bound?.role.id === id
      );
    case "token":
      return id === null ? lastKnown.token !== undefined : lastKnown.token?.id === id;
    case "display":
      return id === null ? lastKnown.display !== undefined : lastKnown.display?.id === id;
    default:
      return false;
  }
}
