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
import type { Screens } from "../tiles/screens/screens.ts";
import { BufferMeter } from "./buffered-bytes.ts";
import type { Authenticate, Handshake } from "./handshake.ts";
import { Intake } from "./intake.ts";
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
  screens: Pick<Screens, "hold" | "release">;
  log: Pick<Log, "error">;
  /** The connection goes on after a doubt. */
  onReleased: (connection: Connection) => void;
  limits: Pick<Limits, "SOCKET_MESSAGES_PER_SECOND" | "SLOW_CLIENT_BUFFER_BYTES">;
}

/** Whose rights a piece of work was done under. */
export interface Standing {
  identity: Identity;
  asOf: number;
}

const ASK_AGAIN_MS = 250;
const ASK_AGAIN_MAX_MS = 1_500;
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
  readonly #intake: Intake;
  #identity: Identity;
  #doubts = 0;
  #settling: Promise<void> | null = null;
  #expiry: NodeJS.Timeout | undefined;
  #activeAt = performance.now();

  constructor(socket: ClientSocket, deps: ConnectionDeps) {
    this.id = socket.id;
    this.#socket = socket;
    this.#deps = deps;
    this.#handshake = socket.data.handshake;
    this.#identity = this.#handshake.identity;
    this.#meter = new BufferMeter(socket);
    this.#intake = new Intake(socket, this.#meter, deps.limits.SLOW_CLIENT_BUFFER_BYTES);
    this.bucket = new TokenBucket(deps.limits.SOCKET_MESSAGES_PER_SECOND);
    this.#watchExpiry();
  }

  /** Who it was when last asked, right or not: for finding whom a revocation means. */
  get lastKnown(): Identity {
    return this.#identity;
  }

  get gone(): boolean {
    return !this.#socket.connected;
  }

  send<E extends ServerEvent>(event: E, message: MessageOf<E>): void {
    this.#socket.emit(event, ...([message] as never));
    this.#intake.check();
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
    return this.#intake.isFull;
  }

  /** Something was answered: a line that does not drain is read no further. */
  noteAnswer(): void {
    this.#intake.check();
  }

  /** Throws where an answer would be one too many: the same may be asked again. */
  requireRoom(): void {
    if (this.isFull) throw new Refusal("rate_limited", { retryAfter: FULL_RETRY_S });
  }

  /** Runs a read when it is its turn, unless the line is full by then. */
  read<T>(task: () => Promise<T>): Promise<T> {
    return this.#inTurn(() => {
      this.requireRoom();
      return task();
    });
  }

  /** Who it is, beyond doubt; null when the connection ended meanwhile. */
  async standing(): Promise<Standing | null> {
    while (this.#settling) await this.#settling;
    return this.gone ? null : { identity: this.#identity, asOf: this.#doubts };
  }

  /** Whether what was found out under these rights may still be told. */
  holds({ asOf }: Standing): boolean {
    return !this.gone && this.#doubts === asOf;
  }

  /** Rights, session or model may be other ones now. */
  doubt(): void {
    this.#doubts += 1;
    this.#deps.fanOut.hold(this.id);
    this.#deps.screens.hold(this.id);
    this.#settling ??= this.#settle().catch((err: unknown) => this.#giveUp(err));
  }

  /** The person did something: that keeps a session from ending idle. */
  noteActivity(): void {
    if (performance.now() - this.#activeAt < ACTIVITY_INTERVAL_MS) return;
    this.#activeAt = performance.now();
    void this.#compare({ isActivity: true });
  }

  /**
   * Compares what is known with the database, in case nobody told that it became another: where it did, that is a
   * doubt like any other.
   */
  review(): Promise<void> {
    return this.#compare({ isActivity: false });
  }

  /** Says why and ends it. */
  end(reason: MessageOf<"goodbye">["reason"], retryAfter = 0): void {
    this.forget();
    this.send("goodbye", { reason, retryAfter });
    this.#socket.disconnect(true);
  }

  /** Nothing is waited for any more. */
  forget(): void {
    clearTimeout(this.#expiry);
    this.#intake.stop();
  }

  /** Ends the doubt in the turn in which it sees that no other has come up. */
  async #settle(): Promise<void> {
    for (let pause = ASK_AGAIN_MS; ; pause = Math.min(pause * 2, ASK_AGAIN_MAX_MS)) {
      const asked = this.#doubts;
      const identity = await this.#lookUp();
      if (this.gone || identity === null) break;
      if (!identity) await sleep(pause * (0.5 + Math.random() / 2));
      else if (asked === this.#doubts) {
        this.#settling = null;
        this.#become(identity);
        this.#deps.fanOut.release(this.id, identity.subject, identity.holder);
        this.#deps.screens.release(this.id, identity);
        this.#deps.onReleased(this);
        return;
      }
    }
    this.#settling = null;
    if (!this.gone) this.end(this.#identity.session === null ? "revoked" : "signed_out");
  }

  /** Nobody can say what may be sent: it may come back and ask again. */
  #giveUp(err: unknown): void {
    this.#deps.log.error({ err }, "somebody's rights can't be judged");
    this.#settling = null;
    if (!this.gone) this.end("restart", ASK_AGAIN_MAX_MS);
  }

  async #compare(options: { isActivity: boolean }): Promise<void> {
    if (this.gone || this.#settling) return;
    const identity = await this.#lookUp(options);
    if (identity === undefined || this.gone || this.#settling) return;
    if (identity && isSameIdentity(identity, this.#identity)) this.#become(identity);
    else this.doubt();
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

  #become(identity: Identity): void {
    this.#identity = identity;
    this.#watchExpiry();
  }

  #watchExpiry(): void {
    clearTimeout(this.#expiry);
    const left = Date.parse(this.#identity.expires) - Date.now();
    if (left <= 0) {
      this.#expiry = setTimeout(() => this.doubt(), ASK_AGAIN_MS);
      return;
    }
    this.#expiry = setTimeout(() => this.#watchExpiry(), Math.min(left, EXPIRY_CHECK_MAX_MS));
  }
}
