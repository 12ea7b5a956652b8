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

/** How long connecting may take before it counts as failed. */
const CONNECT_TIMEOUT_MS = 10_000;

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
 * The wire over Socket.IO, WebSocket only: no sticky sessions, and one ordered stream each way. The
 * library's reconnection, buffering and acknowledgement time-outs are off, because sync/ decides.
 */
export class SocketConnection implements Transport {
  readonly #socket: Socket;
  readonly #wire: Wire;
  /** Calls without an answer: they are lost when the line breaks. */
  readonly #open = new Set<(refusal: Refusal) => void>();
  #events: TransportEvents | null = null;
  /** Opening or open; what a line does after it was left is nobody's business. */
  #shouldConnect = false;

  constructor(options: SocketTransportOptions, wire: Wire) {
    this.#wire = wire;
    this.#socket =
      options.url === undefined ? io(settings(options)) : io(options.url, settings(options));
    this.#socket.on("connect", () => this.#events?.onUp());
    this.#socket.on("connect_error", (error) => this.#down(codeOf(error)));
    this.#socket.on("disconnect", () => this.#down(null));
    for (const name of wire.names) {
      this.#socket.on(name, (message: unknown) => this.#receive(name, message));
    }
  }

  listen(events: TransportEvents): void {
    this.#events = events;
  }

  connect(): void {
    this.#shouldConnect = true;
    this.#socket.connect();
  }

  disconnect(): void {
    this.#shouldConnect = false;
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

  #down(code: ErrorCode | null): void {
    if (!this.#shouldConnect) return;
    this.#shouldConnect = false;
    this.#socket.disconnect();
    this.#rejectOpenCalls();
    this.#events?.onDown(code);
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
    transports: ["websocket"],
    autoConnect: false,
    reconnection: false,
    forceNew: true,
    timeout: CONNECT_TIMEOUT_MS,
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
