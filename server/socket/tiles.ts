import {
  type LeaveTilesCall,
  leaveTilesSchema,
  type TilesAnswer,
  type TilesCall,
  tilesSchema,
} from "../../shared/protocol/tiles.ts";
import type { Screens } from "../tiles/screens/screens.ts";
import type { Call } from "./call.ts";

/** A board from now on; the answer is sent in the turn in which the connection joins. */
export function tiles(screens: Pick<Screens, "open">): Call<TilesCall, TilesAnswer> {
  return {
    schema: tilesSchema,
    isActivity: true,
    isForDisplays: true,
    run: ({ connection, identity }, call, answer) =>
      screens.open(connection, identity, call, (frame) => answer({ frame })),
  };
}

/** No more of a board. */
export function leaveTiles(screens: Pick<Screens, "close">): Call<LeaveTilesCall, object> {
  return {
    schema: leaveTilesSchema,
    isActivity: false,
    isForDisplays: true,
    run({ connection }, call, answer) {
      screens.close(connection, call);
      answer({});
    },
  };
}
