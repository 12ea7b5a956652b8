import {
  type LeaveTilesCall,
  leaveTilesSchema,
  type TilesAnswer,
  type TilesCall,
  tilesSchema,
} from "../../shared/protocol/tiles.ts";
import type { BoardSubscriptions } from "../tiles/live/board-subscriptions.ts";
import type { Call } from "./call.ts";

/** Follows a board; the answer is sent in the turn in which the connection joins. */
export function tiles(
  boardSubscriptions: Pick<BoardSubscriptions, "open">,
): Call<TilesCall, TilesAnswer> {
  return {
    schema: tilesSchema,
    isActivity: false,
    isForDisplays: true,
    run: ({ connection, identity }, call, answer) =>
      boardSubscriptions.open(connection, identity, call, (frame) => answer({ frame })),
  };
}

/** Stops following a board. */
export function leaveTiles(
  boardSubscriptions: Pick<BoardSubscriptions, "close">,
): Call<LeaveTilesCall, object> {
  return {
    schema: leaveTilesSchema,
    isActivity: false,
    isForDisplays: true,
    run({ connection }, call, answer) {
      boardSubscriptions.close(connection, call);
      answer({});
    },
  };
}
