import { Refusal } from "../../shared/protocol/errors.ts";
import {
  type Page,
  type QueryCall,
  querySchema,
  type SubscribeAnswer,
  subscribeSchema,
  unsubscribeSchema,
} from "../../shared/protocol/feed.ts";
import { leaveTilesSchema, type TilesAnswer, tilesSchema } from "../../shared/protocol/frame.ts";
import { type MutateAnswer, type MutateCall, mutateSchema } from "../../shared/protocol/mutate.ts";
import { type PresenceCall, presenceCallSchema } from "../../shared/protocol/presence.ts";
import type { Identity } from "../auth/identity.ts";
import type { FanOut } from "../relay/fan-out.ts";
import type { WallboardSubscriptions } from "../tiles/live/wallboard-subscriptions.ts";
import type { AnyCall, Call, CallContext } from "./call.ts";
import type { Connection } from "./connection.ts";

/** What the calls need of the services. */
export interface CallDeps {
  fanOut: Pick<FanOut, "subscribe" | "unsubscribe">;
  wallboardSubscriptions: Pick<WallboardSubscriptions, "open" | "close">;
  presence: PresenceService;
  readPage: (identity: Identity, call: QueryCall) => Promise<Page>;
  mutate: (identity: Identity, call: MutateCall) => Promise<MutateAnswer>;
}

/** The presence service as the socket needs it. */
interface PresenceService {
  /** The place of a connection's user. Refuses with `not_found` a table that they may not read. */
  set(connection: string, caller: Pick<Identity, "user" | "subject">, call: PresenceCall): void;
  /** Sends a connection the presence list of a table that it follows. */
  sendCurrent(connection: Connection, table: string): void;
  leave(connection: string): void;
}

/** The calls by the names of their messages. */
export function callsOf(deps: CallDeps): ReadonlyMap<string, AnyCall> {
  const { fanOut, presence, wallboardSubscriptions } = deps;
  const calls = {
    /** The answer is sent in the turn in which the connection joins: no frame can overtake it. */
    subscribe: define({
      schema: subscribeSchema,
      isActivity: false,
      async run({ connection }, call, answer) {
        await fanOut.subscribe(connection.id, call, (found) =>
          answer(connection.isFull ? withoutReplay(found) : found),
        );
        presence.sendCurrent(connection, call.table);
      },
    }),
    /** Also ends a pending `subscribe`. */
    unsubscribe: define({
      schema: unsubscribeSchema,
      isActivity: false,
      run({ connection }, { table }, answer) {
        fanOut.unsubscribe(connection.id, table);
        answer({});
      },
    }),
    /** A page that was read, or refused, under rights which ended meanwhile is never sent: it is read again. */
    query: define({
      schema: querySchema,
      isActivity: false,
      run: (caller, call, answer) =>
        underCurrentRights(caller, answer, (identity) =>
          caller.connection.read(() => deps.readPage(identity, call)),
        ),
    }),
    /**
     * Called in the order of the messages, so that one user's edits stay in order. An answer found under rights
     * that ended meanwhile is never sent: repeating the call with the same id applies nothing again and returns
     * what may be shown now.
     */
    mutate: define({
      schema: mutateSchema,
      isActivity: true,
      run: (caller, call, answer) =>
        underCurrentRights(caller, answer, (identity) => deps.mutate(identity, call)),
    }),
    /** Sent as a heartbeat as well as on a change, so it does not count as an action of the user. */
    presence: define({
      schema: presenceCallSchema,
      isActivity: false,
      run({ connection, identity }, call, answer) {
        const { subject, token } = identity;
        presence.set(connection.id, { subject, user: { ...identity.user, ...token } }, call);
        answer({});
      },
    }),
    /** Follows a wallboard; the answer is sent in the turn in which the connection joins. */
    tiles: define({
      schema: tilesSchema,
      isActivity: false,
      isForDisplays: true,
      run: ({ connection, identity }, call, answer: (out: TilesAnswer) => void) =>
        wallboardSubscriptions.open(connection, identity, call, (frame) => answer({ frame })),
    }),
    /** Stops following a wallboard. */
    leaveTiles: define({
      schema: leaveTilesSchema,
      isActivity: false,
      isForDisplays: true,
      run({ connection }, call, answer) {
        wallboardSubscriptions.close(connection, call);
        answer({});
      },
    }),
  };
  return new Map(Object.entries(calls) as unknown as [string, AnyCall][]);
}

/** Infers the types of a call. */
const define = <In, Out extends object>(call: Call<In, Out>): Call<In, Out> => call;

/** Answers what was found, or refused, under rights that are still current then; else it is found again. */
async function underCurrentRights<Out extends object>(
  { connection, rights: first }: CallContext,
  answer: (out: Out) => void,
  find: (identity: Identity) => Promise<Out>,
): Promise<void> {
  let rights: typeof first | null = first;
  while (rights) {
    try {
      const found = await find(rights.identity);
      if (connection.isCurrent(rights)) {
        connection.requireCapacity();
        return answer(found);
      }
    } catch (error) {
      if (!(error instanceof Refusal) || connection.isCurrent(rights)) throw error;
    }
    rights = await connection.verifiedRights();
  }
}

/** For a full connection: its client reads the visible window again instead. */
function withoutReplay({ epoch, seq, scope }: SubscribeAnswer): SubscribeAnswer {
  return { epoch, seq, scope, resync: true };
}
