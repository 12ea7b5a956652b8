import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { SocketServer } from "./open-sockets.ts";

/** The parts of an Engine.IO connection, and of ws below it, that matter here; some have no public API. */
export interface Line {
  readonly request: IncomingMessage;
  close(discard: boolean): void;
  once(event: "close", listener: () => void): unknown;
  on(event: "packet", listener: () => void): unknown;
  off(event: "packet", listener: () => void): unknown;
  readonly transport: {
    readonly name: string;
    /** Of polling: the largest body of a POST; and what handles it. */
    maxHttpBufferSize?: number;
    onData?(payload: unknown): void;
    /** Of a WebSocket. */
    readonly socket?: {
      pause?(): void;
      resume?(): void;
      terminate?(): void;
      readonly _socket?: Duplex;
      readonly _receiver?: Receiver;
    };
  };
}

interface WebSocketServer {
  handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    done: (opened: { readonly _receiver: Receiver }) => void,
  ): void;
}

/** What ws has received of messages that are not whole yet. */
export interface Receiver {
  /** Whether the message that is whole now is handled at once, or in the next turn. Asked for each message. */
  _allowSynchronousEvents?: boolean;
  _maxPayload?: number;
  _maxFragments?: number;
  _maxBufferedChunks?: number;
  /** Of the frame that is not whole, and of those before it in its message. */
  _bufferedBytes?: number;
  readonly _messageLength?: number;
}

/**
 * In how many frames a message may come, and in how many packets of TCP a frame: each takes a hundred bytes more than its content, and
 * most of the time of a message. Chromium sends a megabyte in about 20 frames.
 */
const STRANGER_PARTS = { frames: 16, packets: 64 };
const USER_PARTS = { frames: 128, packets: 4_096 };

let turn = 0;
let isCounted = false;

/** The number of the current turn of the event loop, among those in which it is asked for. */
function currentTurn(): number {
  if (!isCounted) {
    isCounted = true;
    setImmediate(() => {
      turn += 1;
      isCounted = false;
    });
  }
  return turn;
}

/**
 * Of each WebSocket, one message is handled in a turn of the event loop, and the next one is not read before: somebody who sends a million
 * small ones a second takes turns with everybody else. By default ws handles all that have arrived, in one turn; its option for one in a
 * turn delays the first one, too, which costs each edit of everybody a turn.
 */
function takeTurns(receiver: Receiver): void {
  let handledIn = -1;
  Object.defineProperty(receiver, "_allowSynchronousEvents", {
    get() {
      const now = currentTurn();
      const isFirst = handledIn < now;
      handledIn = isFirst ? now : now + 1;
      return isFirst;
    },
  });
}

/** Bounds the messages of each WebSocket in a turn, and in how many parts they may come. */
export function boundMessages(engine: SocketServer["engine"]): void {
  // The library passes on no options of ws, and makes its server anew when it begins to listen.
  const library = engine as unknown as {
    opts: { wsEngine: new (options: object) => WebSocketServer };
    init(): void;
  };
  const { wsEngine } = library.opts;
  library.opts.wsEngine = class extends wsEngine {
    constructor(options: object) {
      super({
        ...options,
        maxFragments: STRANGER_PARTS.frames,
        maxBufferedChunks: STRANGER_PARTS.packets,
      });
    }

    override handleUpgrade(
      ...[request, socket, head, done]: Parameters<WebSocketServer["handleUpgrade"]>
    ) {
      super.handleUpgrade(request, socket, head, (opened) => {
        takeTurns(opened._receiver);
        done(opened);
      });
    }
  };
  library.init();
}

/** Messages in a body of polling, which are all handled in one turn. A page sends what waits meanwhile: some tens. */
const PAYLOAD_MESSAGES = 1_000;
const SEPARATOR = "\x1e";

/** Ends a polling connection that sends too many messages at once. */
export function boundPayloads(line: Line): void {
  const { transport } = line;
  const handle = transport.onData?.bind(transport);
  transport.onData = (payload) => {
    const count = String(payload).split(SEPARATOR, PAYLOAD_MESSAGES + 1).length;
    if (count > PAYLOAD_MESSAGES) terminate(line);
    else handle?.(payload);
  };
}

/** Lets a connection send messages of this size. It is opened with the size that a stranger may send. */
export function allowWholeMessages({ transport }: Line, bytes: number): void {
  const receiver = transport.socket?._receiver;
  if (receiver) {
    receiver._maxPayload = bytes;
    receiver._maxFragments = USER_PARTS.frames;
    receiver._maxBufferedChunks = USER_PARTS.packets;
  }
  transport.maxHttpBufferSize = bytes;
}

/** Ends a connection at once, without a closing handshake, with what it has buffered and with what was received and not handled yet. */
export function terminate(line: Line): void {
  const { socket } = line.transport;
  socket?.terminate?.();
  if (socket?._receiver) socket._receiver._bufferedBytes = 0;
  line.close(true);
}
