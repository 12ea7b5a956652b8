import type { ErrorBody } from "./errors.ts";
import type {
  ChangesMessage,
  HeadsMessage,
  Page,
  QueryCall,
  SubscribeAnswer,
  SubscribeCall,
  UnsubscribeCall,
} from "./feed.ts";
import type {
  FrameMessage,
  LeaveTilesCall,
  ProvenMessage,
  TilesAnswer,
  TilesCall,
} from "./frame.ts";
import type { MutateAnswer, MutateCall } from "./mutate.ts";
import type { PresenceCall, PresenceMessage } from "./presence.ts";
import type {
  DisplayProgram,
  GoodbyeMessage,
  ModelMessage,
  NoticeMessage,
  ResyncMessage,
} from "./signals.ts";

/** The protocol's version, sent in the handshake's `auth`. A test pins the schemas to it. */
export const PROTOCOL_VERSION = 1;

/** Every call answers by acknowledgement. */
export type Answer<T> = ({ ok: true } & T) | { ok: false; error: ErrorBody };
type Call<In, Out> = (call: In, answer: (answer: Answer<Out>) => void) => void;

export interface ClientToServer {
  subscribe: Call<SubscribeCall, SubscribeAnswer>;
  unsubscribe: Call<UnsubscribeCall, object>;
  query: Call<QueryCall, Page>;
  mutate: Call<MutateCall, MutateAnswer>;
  presence: Call<PresenceCall, object>;
  tiles: Call<TilesCall, TilesAnswer>;
  leaveTiles: Call<LeaveTilesCall, object>;
}

export interface ServerToClient {
  changes: (message: ChangesMessage) => void;
  heads: (message: HeadsMessage) => void;
  resync: (message: ResyncMessage) => void;
  presence: (message: PresenceMessage) => void;
  model: (message: ModelMessage) => void;
  notice: (message: NoticeMessage) => void;
  frame: (message: FrameMessage) => void;
  proven: (message: ProvenMessage) => void;
  goodbye: (message: GoodbyeMessage) => void;
  /** To displays only: the program; on connecting and whenever it changes. */
  display: (message: DisplayProgram) => void;
}
