import {
  type SubscribeAnswer,
  type SubscribeCall,
  subscribeSchema,
} from "../../shared/protocol/subscribe.ts";
import type { FanOut } from "../relay/fan-out.ts";
import type { Call } from "./call.ts";
import type { Connection } from "./connection.ts";

/** The answer is sent in the turn in which the connection joins: no frame can overtake it. */
export function subscribe(deps: {
  fanOut: Pick<FanOut, "subscribe">;
  /** The connection follows the table from now on. */
  onSubscribed: (connection: Connection, table: string) => void;
}): Call<SubscribeCall, SubscribeAnswer> {
  return {
    schema: subscribeSchema,
    isActivity: false,
    async run({ connection }, call, answer) {
      await deps.fanOut.subscribe(connection.id, call, (found) =>
        answer(connection.isFull ? withoutReplay(found) : found),
      );
      deps.onSubscribed(connection, call.table);
    },
  };
}

/** For a full connection: its client reads the visible window again instead. */
function withoutReplay({ epoch, seq, scope }: SubscribeAnswer): SubscribeAnswer {
  return { epoch, seq, scope, resync: true };
}
