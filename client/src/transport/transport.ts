import type { ErrorCode } from "../../../shared/protocol/errors.ts";
import type {
  ChangesMessage,
  HeadsMessage,
  Page,
  QueryCall,
  SubscribeAnswer,
  SubscribeCall,
  UnsubscribeCall,
} from "../../../shared/protocol/feed.ts";
import type {
  FrameMessage,
  LeaveTilesCall,
  ProvenMessage,
  TilesAnswer,
  TilesCall,
} from "../../../shared/protocol/frame.ts";
import type { MutateAnswer, MutateCall } from "../../../shared/protocol/mutate.ts";
import type { PresenceCall, PresenceMessage } from "../../../shared/protocol/presence.ts";
import type {
  DisplayProgram,
  GoodbyeMessage,
  ModelMessage,
  NoticeMessage,
  ResyncMessage,
} from "../../../shared/protocol/signals.ts";

/** The calls of the wire and what each answers. */
export interface Calls {
  subscribe: { call: SubscribeCall; answer: SubscribeAnswer };
  unsubscribe: { call: UnsubscribeCall; answer: object };
  query: { call: QueryCall; answer: Page };
  mutate: { call: MutateCall; answer: MutateAnswer };
  presence: { call: PresenceCall; answer: object };
  tiles: { call: TilesCall; answer: TilesAnswer };
  leaveTiles: { call: LeaveTilesCall; answer: object };
}
export type CallName = keyof Calls;

/** Messages of the server, already checked against their schemas. */
export interface ServerMessages {
  changes: ChangesMessage;
  heads: HeadsMessage;
  resync: ResyncMessage;
  presence: PresenceMessage;
  model: ModelMessage;
  notice: NoticeMessage;
  frame: FrameMessage;
  proven: ProvenMessage;
  goodbye: GoodbyeMessage;
  display: DisplayProgram;
}
export type ServerMessageName = keyof ServerMessages;

export interface TransportEvents {
  onUp(): void;
  /**
   * The connection was lost or could not be opened. `code` is the reason, if the server gave one. `isBlocked`: for seconds no
   * live connection could be opened, though the server answers requests: something on the way does not let it pass.
   */
  onDown(code: ErrorCode | null, isBlocked?: boolean): void;
  onMessage<K extends ServerMessageName>(name: K, message: ServerMessages[K]): void;
  /** A message did not fit its schema and was dropped; its table, where it still could be read. */
  onUnreadable(name: string, table: string | null): void;
  /** The server pinged, as it does every SOCKET_PING_MS whatever else it sends: there is a line to it. */
  onPing(): void;
}

/**
 * One line to the server, without memory: it neither retries nor reconnects (`ServerLine`
 * does). After `onDown` nothing of the old line is delivered any more.
 */
export interface Transport {
  listen(events: TransportEvents): void;
  connect(): void;
  disconnect(): void;
  /** How presence lists name this line; null while there is none. */
  connectionId(): string | null;
  /**
   * Resolves with a checked answer; rejects with a `Refusal` - the server's, or `unavailable` with
   * `{lost: true}` when the line broke or nothing came back in time: it may or may not have happened.
   */
  call<K extends CallName>(
    name: K,
    call: Calls[K]["call"],
    timeoutMs: number,
  ): Promise<Calls[K]["answer"]>;
}
