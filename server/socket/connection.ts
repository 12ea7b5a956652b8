import { setTimeout as sleep } from "node:timers/promises";
import type { Socket } from "socket.io";
import type { Limits } from "../../shared/limits.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { ClientToServer, ServerToClient } from "../../shared/protocol/socket.ts";
import { bounded } from "../auth/bounded.ts";
import { type Identity, isSameIdentity } from "../auth/identity.ts";
import type { FanOut } from "../relay/fan-out.ts";
import type { Log } from "../relay/log.ts";
import type { MessageOf, Peer, ServerEvent } from "../relay/peer.ts";
import type { BoardSubscriptions } from "../tiles/live/board-subscriptions.ts";
import { BufferMeter } from "./buffered-bytes.ts";
import type { Authenticate, Handshake } from "./handshake.ts";
import { ReadThrottle } from "./read-throttle.ts";
import { TokenBucket } from "./token-bucket.ts";

export type ClientSocket = Socket<
  ClientToServer,
  ServerToClient,
  Record<string, never>,
  { handshake: Handshake }
>;

export interface ConnectionDeps {
  authenticate: Authenticate;
  fanOut: Pick<FanOut, "hold" | "release">;
  boardSubscriptions: Pick<BoardSubscriptions, "hold" | "release">;
  log: Pick<Log, "error">;
  /** The connection goes on after a doubt. */
  onReleased: (connection: Connection) => void;
  limits: Pick<Limits, "SOCKET_MESSAGES_PER_SECOND" | "SLOW_CLIENT_BUFFER_BYTES">;
}

/** Whose rights a piece of work was done under. */
export interface VerifiedRights {
  identity: Identity;
  asOf: number;
}

const RETRY_MS = 250;
const RETRY_MAX_MS = 1_500;
/** Pages that one connection may have read at the same time, and wait for. */
const READS_AT_ONCE = 8;
const READS_WAITING = 1_000;
const FULL_RETRY_S = 2;
/** Timers can't be longer than 24 days, sessions can. */
const EXPIRY_CHECK_MAX_MS = 3_600_000;
/** Who works keeps the session from ending idle, by asking at most this often. */
const ACTIVITY_INTERVAL_MS = 30_000;

/**
 * One socket with the person behind it. When anything about the person may have changed, the
 * connection is in doubt: at once nothing more is sent by the fan-out and no call is begun, until
 * the credential was looked up anew. Worth nothing, it ends; the store away, the doubt lasts.
 */
export class Connection implements Peer {
  readonly id: string;
  readonly bucket: TokenBucket;
  /** Keeps one connection from taking the whole database for itself. */
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
    this.#readThrottle = new ReadThrottle(
      socket,
      this.#meter,
      deps.limits.SLOW_CLIENT_BUFFER_BYTES,
    );
    this.bucket = new TokenBucket(deps.limits.SOCKET_MESSAGES_PER_SECOND);
    this.#watchExpiry();
  }

  /** Who it was when last asked, right or not: for finding whom a revocation means. */
  get lastKnown(): Identity {
    return this.#identity;
  }

  get isClosed(): boolean {
    return !this.#socket.connected;
  }

  send<E extends ServerEvent>(event: E, message: MessageOf<E>): void {
    this.#socket.emit(event, ...([message] as never));
    this.#readThrottle.check();
  }

  join(room: string): void {
    void this.#socket.join(room);
  }

  leave(room: string): void {
    void this.#socket.leave(room);
  }

  bufferedBytes(): number {
    return this.#meter.read();
  }

  /** More is waiting for this line than it may hold: answers would only add to it. */
  get isFull(): boolean {
    return this.#readThrottle.isFull;
  }

  /** Something was answered: a line that does not drain is read no further. */
  noteAnswer(): void {
    this.#readThrottle.check();
  }

  /** Throws where an answer would be one too many: the same may be asked again. */
  requireCapacity(): void {
    if (this.isFull) throw new Refusal("rate_limited", { retryAfter: FULL_RETRY_S });
  }

  /** Runs a read when it is its turn, unless the line is full by then. */
  read<T>(task: () => Promise<T>): Promise<T> {
    return this.#inTurn(() => {
      this.requireCapacity();
      return task();
    });
  }

  /** Who it is, beyond doubt; null when the connection ended meanwhile. */
  async verifiedRights(): Promise<VerifiedRights | null> {
    while (this.#revalidating) await this.#revalidating;
    return this.isClosed ? null : { identity: this.#identity, asOf: this.#revalidations };
  }

  /** Whether what was found out under these rights may still be told. */
  isCurrent({ asOf }: VerifiedRights): boolean {
    return !this.isClosed && this.#revalidations === asOf;
  }

  /** Rights, session or model may be other ones now. */
  revalidate(): void {
    this.#revalidations += 1;
    this.#deps.fanOut.hold(this.id);
    this.#deps.boardSubscriptions.hold(this.id);
    this.#revalidating ??= this.#revalidateRights().catch((err: unknown) =>
      this.#onRevalidationFailed(err),
    );
  }

  /** The person did something: that keeps a session from ending idle. */
  noteActivity(): void {
    if (performance.now() - this.#activeAt < ACTIVITY_INTERVAL_MS) return;
    this.#activeAt = performance.now();
    void this.#compareIdentity({ isActivity: true });
  }

  /**
   * Compares what is known with the database, in case nobody told that it became another: where it did, that is a
   * doubt like any other.
   */
  checkRights(): Promise<void> {
    return this.#compareIdentity({ isActivity: false });
  }

  /** Says why and ends it. */
  close(reason: MessageOf<"goodbye">["reason"], retryAfter = 0): void {
    this.forget();
    this.send("goodbye", { reason, retryAfter });
    this.#socket.disconnect(true);
  }

  /** Nothing is waited for any more. */
  forget(): void {
    clearTimeout(this.#expiry);
    this.#readThrottle.stop();
  }

  /** Ends the doubt in the turn in which it sees that no other has come up. */
  async #revalidateRights(): Promise<void> {
    for (let pause = RETRY_MS; ; pause = Math.min(pause * 2, RETRY_MAX_MS)) {
      const started = this.#revalidations;
      const identity = await this.#lookUp();
      if (this.isClosed || identity === null) break;
      if (!identity) await sleep(pause * (0.5 + Math.random() / 2));
      else if (started === this.#revalidations) {
        this.#revalidating = null;
        this.#setIdentity(identity);
        this.#deps.fanOut.release(this.id, identity.subject, identity.holder);
        this.#deps.boardSubscriptions.release(this.id, identity);
        this.#deps.onReleased(this);
        return;
      }
    }
    this.#revalidating = null;
    if (!this.isClosed) this.close(this.#identity.session === null ? "revoked" : "signed_out");
  }

  /** Nobody can say what may be sent: it may come back and ask again. */
  #onRevalidationFailed(err: unknown): void {
    this.#deps.log.error({ err }, "somebody's rights can't be judged");
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

  /** Undefined: the store is away and nobody knows. */
  async #lookUp(options = { isActivity: true }): Promise<Identity | null | undefined> {
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
