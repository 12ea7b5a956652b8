import { useSyncExternalStore } from "react";
import type { Moment } from "../../../../shared/protocol/freshness.ts";
import type { Player } from "../core/player.ts";
import { PairingScreen } from "./pairing-screen.tsx";
import { PlayScreen } from "./play-screen.tsx";
import { StartingScreen } from "./starting-screen.tsx";

/** The screen of each phase of a display. */
export function DisplayApp({ player, moment }: { player: Player; moment: () => Moment }) {
  const state = useSyncExternalStore(player.listen, player.read);
  switch (state.phase) {
    case "starting":
      return <StartingScreen since={state.since} />;
    case "pairing":
      return <PairingScreen pairing={state.pairing} wasRevoked={state.wasRevoked} />;
    case "playing":
      return <PlayScreen state={state} moment={moment} />;
  }
}
