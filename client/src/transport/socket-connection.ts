import { io, type ManagerOptions, type Socket, type SocketOptions } from "socket.io-client";
import { type ErrorCode, errorCatalogue, Refusal } from "../../../shared/protocol/errors.ts";
import { PROTOCOL_VERSION } from "../../../shared/protocol/socket.ts";
import { pendingRead } from "./rest/pending-work.ts";
import type {
  CallName,
  Calls,
  ServerMessageName,
  Transport,
  TransportEvents,
} from "./transport.ts";
import type { Wire } from "./wire.ts";

/** The transports of Socket.IO: the last one for networks that let requests pass, but no WebSocket. */
type Way = "websocket" | "polling";

/**
 * How long opening may take by each way before the next one is tried: together less than ten seconds, after which a user reads
 * why there is nothing to see. On a far network or a busy server a WebSocket may need longer: every third attempt waits for it.
 */
const OPEN_TIMEOUT_MS = { websocket: 3_500, polling: 5_000 };
const PATIENT_EVERY = 3;
const PATIENT_TIMEOUT_MS = 10_000;
/** A server that is being replaced may answer requests before it accepts connections. */
const BLOCKED_AFTER_MS = 3_000;

export interface SocketTransportOptions {
  /** The address of the server; the page's own origin by default. */
  url?: string;
  /** For bots and benches; a page sends its session cookie. */
  token?: string;
  /** The user of the page. A connection with another user's cookie is refused. */
  user?: string;
  headers?: Record<string, string>;
  /** Displays have a credential of their own. */
  as?: "display";
}

/**
 * The wire over Socket.IO: a WebSocket, which needs no sticky sessions; where none can be opened, polling, from which the library
 * changes to a WebSocket if that works after all (C2). Either way one ordered stream each way. The library's reconnection,
 * buffering and acknowledgement time-outs are off, because sync/ decides.
 */
export class SocketConnection implements Transport {
  readonly #socket: Socket;
  readonly #wire: Wire;
  /** Calls without an answer: they are lost when the line breaks. */
  readonly #open = new Set<(refusal: Refusal) => void>();
  #events: TransportEvents | null = null;
  readonly #url: string | undefined;
  /** Opening or open; what a line does after it was left is nobody's business. */
  #shouldConnect = false;
  /** The ways that are left to try in this attempt; the first one is being tried. */
  #ways: Way[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Attempts since the last connection, and when the first of them began. */
  #attempts = 0;
  #failingSince = 0;
  /** The last connection was opened by polling, where no WebSocket could be. */
  #prefersPolling = false;

  constructor(options: SocketTransportOptions, wire: Wire) {
    this.#wire = wire;
    this.#url = options.url;
    this.#socket =
      options.url === undefined ? io(settings(options)) : io(options.url, settings(options));
    // Its own ends when the line is open, and #tryWay's when the server has accepted it.
    this.#socket.io.timeout(false);
    this.#socket.on("connect", () => this.#up());
    this.#socket.on("connect_error", (error) => {
      const code = codeOf(error);
      if (code === null) this.#failed();
      else this.#down(code);
    });
    this.#socket.on("disconnect", () => this.#failed());
    this.#socket.io.on("ping", () => this.#events?.onPing());
    for (const name of wire.names) {
      this.#socket.on(name, (message: unknown) => this.#receive(name, message));
    }
  }

  listen(events: TransportEvents): void {
    this.#events = events;
  }

  connect(): void {
    this.#shouldConnect = true;
    if (this.#attempts === 0) this.#failingSince = performance.now();
    this.#attempts += 1;
    const isPatient = this.#attempts % PATIENT_EVERY === 0;
    if (isPatient) this.#ways = ["websocket"];
    else this.#ways = this.#prefersPolling ? ["polling", "websocket"] : ["websocket", "polling"];
    this.#tryWay(isPatient ? PATIENT_TIMEOUT_MS : undefined);
  }

  disconnect(): void {
    this.#shouldConnect = false;
    clearTimeout(this.#timer);
    this.#rejectOpenCalls();
    this.#socket.disconnect();
  }

  connectionId(): string | null {
    return this.#socket.id ?? null;
  }

  call<K extends CallName>(
    name: K,
    call: Calls[K]["call"],
    timeoutMs: number,
  ): Promise<Calls[K]["answer"]> {
    if (!this.#socket.connected) return Promise.reject(lost());
    const answer = new Promise<Calls[K]["answer"]>((resolve, reject) => {
      const fail = (refusal: Refusal) => {
        clearTimeout(timer);
        this.#open.delete(fail);
        reject(refusal);
      };
      const timer = setTimeout(() => fail(lost()), timeoutMs);
      this.#open.add(fail);
      this.#socket.emit(name, call, (answer: unknown) => {
        if (!this.#open.delete(fail)) return;
        clearTimeout(timer);
        resolveWith(() => readAnswer(this.#wire, name, answer), resolve, reject);
      });
    });
    return pendingRead(answer);
  }

  /** Tries the first of the ways that are left. */
  #tryWay(timeoutMs = OPEN_TIMEOUT_MS[this.#ways[0] ?? "websocket"]): void {
    const { opts } = this.#socket.io;
    opts.transports = this.#ways[0] === "polling" ? ["polling", "websocket"] : ["websocket"];
    this.#timer = setTimeout(() => this.#failed(), timeoutMs);
    this.#socket.connect();
  }

  #up(): void {
    clearTimeout(this.#timer);
    const { engine } = this.#socket.io;
    this.#attempts = 0;
    this.#prefersPolling = engine.transport.name === "polling";
    engine.once("upgrade", () => {
      this.#prefersPolling = false;
    });
    this.#events?.onUp();
  }

  /** The way that is being tried does not work, or the connection that there was is lost. */
  #failed(): void {
    if (!this.#shouldConnect) return;
    clearTimeout(this.#timer);
    const isOpening = this.#attempts > 0;
    this.#ways.shift();
    if (!isOpening) this.#down(null);
    else if (this.#ways.length > 0) {
      this.#socket.disconnect();
      this.#tryWay();
    } else {
      this.#prefersPolling = false;
      void this.#allFailed();
    }
  }

  /** Says whether the server can be reached in another way. */
  async #allFailed(): Promise<void> {
    this.#socket.disconnect();
    const attempt = this.#attempts;
    const isBlocked =
      performance.now() - this.#failingSince > BLOCKED_AFTER_MS &&
      (await answersRequests(this.#url));
    // It may have been given up, and another attempt begun, meanwhile.
    if (this.#shouldConnect && attempt === this.#attempts) this.#down(null, isBlocked);
  }

  #down(code: ErrorCode | null, isBlocked = false): void {
    if (!this.#shouldConnect) return;
    this.#shouldConnect = false;
    clearTimeout(this.#timer);
    this.#socket.disconnect();
    this.#rejectOpenCalls();
    if (isBlocked) this.#events?.onDown(code, true);
    else this.#events?.onDown(code);
  }

  #rejectOpenCalls(): void {
    for (const fail of [...this.#open]) fail(lost());
  }

  #receive(name: ServerMessageName, message: unknown): void {
    const read = this.#wire.readMessage(name, message);
    if (read !== null) this.#events?.onMessage(name, read);
    else this.#events?.onUnreadable(name, tableOf(message));
  }
}

function settings({
  token,
  user,
  headers,
  as,
}: SocketTransportOptions): Partial<ManagerOptions & SocketOptions> {
  return {
    autoConnect: false,
    reconnection: false,
    forceNew: true,
    auth: {
      protocol: PROTOCOL_VERSION,
      ...(token === undefined ? {} : { token }),
      ...(user === undefined ? {} : { user }),
      ...(as === undefined ? {} : { as }),
    },
    ...(headers ? { extraHeaders: headers } : {}),
  };
}

function resolveWith<T>(
  read: () => T,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
) {
  try {
    resolve(read());
  } catch (error) {
    reject(error);
  }
}

function lost(): Refusal {
  return new Refusal("unavailable", { lost: true });
}

/** Why the handshake was refused, if the server said so. */
function codeOf(error: Error & { data?: unknown }): ErrorCode | null {
  return error.data === undefined ? null : toRefusal(error.data).code;
}

function tableOf(message: unknown): string | null {
  const table = (message as { table?: unknown } | null | undefined)?.table;
  return typeof table === "string" ? table : null;
}

/** Reads an acknowledgement: the checked answer, or the refusal thrown. What fits neither is `internal`. */
function readAnswer<K extends CallName>(wire: Wire, name: K, answer: unknown): Calls[K]["answer"] {
  if (isObject(answer) && answer.ok === true) {
    const { ok: _ok, ...rest } = answer;
    const read = wire.readAnswer(name, rest);
    if (read !== null) return read;
  }
  throw toRefusal(isObject(answer) ? answer.error : null);
}

/** An error body of the wire as a refusal; `internal` if it is none. */
function toRefusal(error: unknown): Refusal {
  if (!isObject(error)) return new Refusal("internal");
  const { code, message } = error;
  if (typeof code !== "string" || !Object.hasOwn(errorCatalogue, code)) {
    return new Refusal("internal");
  }
  const text = typeof message === "string" ? message : errorCatalogue[code as ErrorCode].message;
  return Refusal.fromBody({ ...error, code: code as ErrorCode, message: text });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** How long the server may take to answer. */
const TIMEOUT_MS = 1_400;

/**
 * Whether the server answers an ordinary request, signed in or not: then something on the way keeps live connections from it.
 * Only JSON counts, because a network may answer everything by a page of its own.
 */
async function answersRequests(url = location.origin): Promise<boolean> {
  try {
    const response = await fetch(new URL("/api/v1/session", url), {
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      headers: { "x-watchfloor-background": "1" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return /^application\/(problem\+)?json/.test(response.headers.get("content-type") ?? "");
  } catch {
    return false;
  }
}
