import {
  type LeaveTilesCall,
  leaveTilesSchema,
  type TilesAnswer,
  type TilesCall,
  tilesSchema,
} from "../../shared/protocol/tiles.ts";
import type { WallboardSubscriptions } from "../tiles/live/wallboard-subscriptions.ts";
import type { Call } from "./call.ts";

/** Follows a wallboard; the answer is sent in the turn in which the connection joins. */
export function tiles(
  wallboardSubscriptions: Pick<WallboardSubscriptions, "open">,
): Call<TilesCall, TilesAnswer> {
  return {
    schema: tilesSchema,
    isActivity: false,
    isForDisplays: true,
    run: ({ connection, identity }, call, answer) =>
      wallboardSubscriptions.open(connection, identity, call, (frame) => answer({ frame })),
  };
}

/** Stops following a wallboard. */
export function leaveTiles(
  wallboardSubscriptions: Pick<WallboardSubscriptions, "close">,
): Call<LeaveTilesCall, object> {
  return {
    schema: leaveTilesSchema,
    isActivity: false,
    isForDisplays: true,
    run({ connection }, call, answer) {
      wallboardSubscriptions.close(connection, call);
      answer({});
    },
  };
}
