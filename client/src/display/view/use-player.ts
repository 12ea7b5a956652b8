import { useSyncExternalStore } from "react";
import type { Player } from "../core/player.ts";
import type { PlayerState } from "../core/player-state.ts";

/** The state of the player; renders on changes. */
export function usePlayer(player: Player): PlayerState {
  return useSyncExternalStore(player.listen, player.read);
}
