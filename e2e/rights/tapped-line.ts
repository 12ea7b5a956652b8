import { io, type Socket } from "socket.io-client";
import type { FrameMessage } from "../../shared/protocol/frame.ts";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";

export const ANSWERED_WITHIN_MS = 60_000;

/** Receives the raw text of everything that is sent to a user. */
export type Tap = (bytes: string, from: string) => void;

export interface LineOptions {
  url: string;
  token: string;
  as?: "person" | "display";
}

/**
 * A bare socket and bare REST of a user or a display, everything they receive tapped on the wire: before any
 * client code could hide what should not have been sent.
 */
export class TappedLine {
  readonly socket: Socket;
  /** The last frame of each wallboard that was followed. */
  readonly frames = new Map<string, FrameMessage>();
  readonly #options: LineOptions;
  readonly #tap: Tap;

  constructor(options: LineOptions, tap: Tap) {
    const { url, token, as = "person" } = options;
    const auth = { protocol: PROTOCOL_VERSION, token, as };
    this.socket = io(url, {
      ...{ transports: ["websocket"], forceNew: true, reconnection: false, autoConnect: false },
      auth,
    });
    this.#options = options;
    this.#tap = tap;
    this.socket.on("frame", (frame: FrameMessage) => this.frames.set(frame.wallboard, frame));
  }

  async open(): Promise<void> {
    const { socket } = this;
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("connect_error", reject);
      socket.connect();
    });
    const packets = socket.io.engine as unknown as {
      on(event: "packet", listener: (packet: { data?: unknown }) => void): void;
    };
    packets.on("packet", ({ data }) => this.#tap(String(data ?? ""), "socket"));
  }

  /** A call on the socket; its answer is recorded by the tap. */
  call(event: string, message: object): Promise<Record<string, unknown>> {
    return this.socket.timeout(ANSWERED_WITHIN_MS).emitWithAck(event, message);
  }

  /**
   * Follows a wallboard from now on. What revalidation cut off is requested again, as every client does. Returns the
   * error if it is refused.
   */
  async show(wallboard: string): Promise<unknown> {
    const previous = this.frames.get(wallboard);
    const { frame, error } = await this.call("tiles", { wallboard });
    // Node may deliver a later `frame` event before the promise of the answer resolves.
    if (frame && this.frames.get(wallboard) === previous)
      this.frames.set(wallboard, frame as FrameMessage);
    else if ((error as { code?: string } | undefined)?.code === "aborted") {
      return this.show(wallboard);
    }
    return error;
  }

  /** A REST call, of JSON or of a CSV text; resolves to the body's text whatever the status. */
  async rest(method: string, path: string, body?: unknown): Promise<string> {
    const { url, token } = this.#options;
    const type = typeof body === "string" ? "text/csv" : "application/json";
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": type },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    this.#tap(`${JSON.stringify([...answer.headers])}${text}`, `${method} ${path}`);
    return text;
  }

  close(): void {
    this.socket.disconnect();
  }
}
