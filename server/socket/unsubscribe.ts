import { type UnsubscribeCall, unsubscribeSchema } from "../../shared/protocol/subscribe.ts";
import type { FanOut } from "../relay/fan-out.ts";
import type { Call } from "./call.ts";

/** Also ends a pending `subscribe`. */
export function unsubscribe(fanOut: Pick<FanOut, "unsubscribe">): Call<UnsubscribeCall, object> {
  return {
    schema: unsubscribeSchema,
    isActivity: false,
    run({ connection }, { table }, answer) {
      fanOut.unsubscribe(connection.id, table);
      answer({});
    },
  };
}
