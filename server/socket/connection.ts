import { setTimeout as sleep } from "node:timers/promises";
import type { Socket } from "socket.io";
import type { Limits } from "../../shared/limits.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { ClientToServer, ServerToClient } from "../../shared/protocol/socket.ts";
import { type Identity, isSameIdentity } from "../auth/identity.ts";
import { bounded } from "../load/budget.ts";
import type { MessageOf, Peer, ServerEvent } from "../messaging/peer.ts";
import type { FanOut } from "../relay/fan-out.ts";
import type { Log } from "../relay/log.ts";
import type { WallboardSubscriptions } from "../tiles/live/wallboard-subscriptions.ts";
import { BufferMeter } from "./buffered-bytes.ts";
import type { Authenticate, Handshake } from "./handshake.ts";
import { type Line, terminate } from "./line.ts";
import { ReadThrottle } from "./read-throttle.ts";
import type { UserShare } from "./user-share.ts";

export type ClientSocket = Socket<
  ClientToServer,
  ServerToClient,
  Record<string, never>,
  { handshake: Handshake; share: UserShare }
>;

interface ConnectionDeps {
  authenticate: Authenticate;
  fanOut: Pick<FanOut, "hold" | "release">;
  wallboardSubscriptions: Pick<WallboardSubscriptions, "hold" | "release">;
  log: Pick<Log, "error">;
  /** The connection continues after revalidation. */
  onReleased: (connection: Connection) => void;
  limits: Pick<Limits, "SLOW_CLIENT_BUFFER_BYTES">;
}

/** The rights under which a piece of work was done. */
export interface VerifiedRights {
  identity: Identity;
  asOf: number;
}

/** For the client to read the goodbye. */
const CLOSE_TIMEOUT_MS = 1_000;
const RETRY_MS = 250;
const RETRY_MAX_MS = 1_500;
/** Pages that one connection may have read at the same time, and queued. */
const READS_AT_ONCE = 8;
const READS_WAITING = 1_000;
const FULL_RETRY_S = 2;
/** Timers can't be longer than 24 days, sessions can. */
const EXPIRY_CHECK_MAX_MS = 3_600_000;
/** An active user prevents the idle end of the session, by a query at most this often. */
const ACTIVITY_INTERVAL_MS = 30_000;

/**
 * One socket with its user. When anything about the user may have changed, revalidation begins: at once
 * nothing more is sent by the fan-out and no call is begun, until the credential was looked up again. An
 * invalid credential ends the connection; while the store is unavailable, revalidation continues.
 */
export class Connection implements Peer {
  readonly id: string;
  /** Of its user. */
  readonly #share: UserShare;
  /** Prevents one connection from using the whole database. */
  readonly #inTurn = bounded(READS_AT_ONCE, READS_WAITING);
  readonly #socket: ClientSocket;
  readonly #deps: ConnectionDeps;
  readonly #handshake: Handshake;
  readonly #meter: BufferMeter;
  readonly #readThrottle: ReadThrottle;
  #identity: Identity;
  #revalidations = 0;
  #revalidating: Promise<void> | null = null;
  #expiry: NodeJS.Timeout | undefined;
  #activeAt = performance.now();

  constructor(socket: ClientSocket, deps: ConnectionDeps) {
    this.id = socket.id;
    this.#socket = socket;
    this.#deps = deps;
    this.#handshake = socket.data.handshake;
    this.#identity = this.#handshake.identity;
    this.#meter = new BufferMeter(socket);
    this.#share = socket.data.share;
    this.#share.add(this.#meter);
    this.#readThrottle = new ReadThrottle(
      socket,
      this.#meter,
      this.#share,
      deps.limits.SLOW_CLIENT_BUFFER_BYTES,
    );
    this.#watchExpiry();
  }

  /** The identity at the last look-up, valid or not: to find whom a revocation concerns. */
  get lastKnown(): Identity {
    return this.#identity;
  }

  /** Its identity is being looked up. */
  get isRevalidating(): boolean {
    return this.#revalidating !== null;
  }

  get isClosed(): boolean {
    return !this.#socket.connected;
  }

  send<E extends ServerEvent>(event: E, message: MessageOf<E>): void {
    this.#readThrottle.send(() => this.#socket.emit(event, ...([message] as never)));
  }

  join(room: string): void {
    void this.#socket.join(room);
  }

  leave(room: string): void {
    void this.#socket.leave(room);
  }

  /** More than its bound also where only the connections of its user together hold too much, and it is one of them. */
  bufferedBytes(): number {
    return this.isFull ? Number.POSITIVE_INFINITY : this.#meter.read();
  }

  /** More is waiting for this connection than allowed: answers would only add to it. */
  get isFull(): boolean {
    return this.#readThrottle.isFull;
  }

  /** Something was answered: a connection that does not drain is no longer read. */
  noteAnswer(): void {
    this.#readThrottle.check();
  }

  /** 0 if its user may send one more message, otherwise the seconds to wait. */
  takeMessage(): number {
    return this.#share.bucket.take();
  }

  /** Throws if an answer would exceed the bound: the call may be repeated. */
  requireCapacity(): void {
    if (this.isFull) throw new Refusal("rate_limited", { retryAfter: FULL_RETRY_S });
  }

  /** Runs a read when it is its turn, unless the buffer is full by then. */
  read<T>(task: () => Promise<T>): Promise<T> {
    return this.#inTurn(() => {
      this.requireCapacity();
      return task();
    });
  }

  /** The verified identity; null if the connection ended meanwhile. */
  async verifiedRights(): Promise<VerifiedRights | null> {
    while (this.#revalidating) await this.#revalidating;
    return this.isClosed ? null : { identity: this.#identity, asOf: this.#revalidations };
  }

  /** Whether results found under these rights may still be sent. */
  isCurrent({ asOf }: VerifiedRights): boolean {
    return !this.isClosed && this.#revalidations === asOf;
  }

  /** Rights, session or model may have changed. */
  revalidate(): void {
    this.#revalidations += 1;
    this.#deps.fanOut.hold(this.id);
    this.#deps.wallboardSubscriptions.hold(this.id);
    this.#revalidating ??= this.#revalidateRights().catch((err: unknown) =>
      this.#onRevalidationFailed(err),
    );
  }

  /** The user did something: that prevents the idle end of the session. */
  noteActivity(): void {
    if (performance.now() - this.#activeAt < ACTIVITY_INTERVAL_MS) return;
    this.#activeAt = performance.now();
    void this.#compareIdentity({ isActivity: true });
  }

  /**
   * Compares the known identity with the database, in case a notification was missed: a difference starts
   * revalidation.
   */
  checkRights(): Promise<void> {
    return this.#compareIdentity({ isActivity: false });
  }

  /** Sends the reason and closes the connection. */
  close(reason: MessageOf<"goodbye">["reason"], retryAfter = 0): void {
    this.forget();
    this.send("goodbye", { reason, retryAfter });
    this.#socket.disconnect(true);
    // Engine.IO waits until the client has read everything.
    const line = this.#socket.conn as unknown as Line;
    setTimeout(() => terminate(line), CLOSE_TIMEOUT_MS).unref();
  }

  /** Stops all waiting. */
  forget(): void {
    this.#share.delete(this.#meter);
    clearTimeout(this.#expiry);
    this.#readThrottle.stop();
  }

  /** Ends revalidation in the turn in which no other one has begun. */
  async #revalidateRights(): Promise<void> {
    for (let pause = RETRY_MS; ; pause = Math.min(pause * 2, RETRY_MAX_MS)) {
      const started = this.#revalidations;
      const identity = await this.#lookUp({ isActivity: false });
      if (this.isClosed || identity === null) break;
      if (!identity) await sleep(pause * (0.5 + Math.random() / 2));
      else if (started === this.#revalidations) {
        this.#revalidating = null;
        this.#setIdentity(identity);
        this.#deps.fanOut.release(this.id, identity.subject, identity.holder);
        this.#deps.wallboardSubscriptions.release(this.id, identity);
        this.#deps.onReleased(this);
        return;
      }
    }
    this.#revalidating = null;
    if (!this.isClosed) this.close(this.#identity.session === null ? "revoked" : "signed_out");
  }

  /** It is unknown what may be sent: the client may return and ask again. */
  #onRevalidationFailed(err: unknown): void {
    this.#deps.log.error({ err }, "a user's rights can't be determined");
    this.#revalidating = null;
    if (!this.isClosed) this.close("restart", RETRY_MAX_MS);
  }

  async #compareIdentity(options: { isActivity: boolean }): Promise<void> {
    if (this.isClosed || this.#revalidating) return;
    const identity = await this.#lookUp(options);
    if (identity === undefined || this.isClosed || this.#revalidating) return;
    if (identity && isSameIdentity(identity, this.#identity)) this.#setIdentity(identity);
    else this.revalidate();
  }

  /** Undefined: the store is unavailable. */
  async #lookUp(options: { isActivity: boolean }): Promise<Identity | null | undefined> {
    try {
      const { token, kind } = this.#handshake;
      return await this.#deps.authenticate(token, kind, options);
    } catch {
      return undefined;
    }
  }

  #setIdentity(identity: Identity): void {
    this.#identity = identity;
    this.#watchExpiry();
  }

  #watchExpiry(): void {
    clearTimeout(this.#expiry);
    const left = Date.parse(this.#identity.expires) - Date.now();
    if (left <= 0) {
      this.#expiry = setTimeout(() => this.revalidate(), RETRY_MS);
      return;
    }
    this.#expiry = setTimeout(() => this.#watchExpiry(), Math.min(left, EXPIRY_CHECK_MAX_MS));
  }
}
