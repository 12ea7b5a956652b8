import { type ReactNode, useEffect, useState } from "react";
import { type Proof, serverTime } from "../../../shared/protocol/freshness.ts";
import { TileClock, TileClockContext } from "./tile-clock.ts";
import { moment } from "./use-freshness.ts";

/** Tiles below show times and ages by the clock of the server that confirms them, where that is known. */
export function ServerClock({ proof, children }: { proof: Proof | null; children: ReactNode }) {
  const [clock] = useState(() => new TileClock());
  useEffect(() => {
    if (!proof) return;
    const at = moment();
    clock.setOffset(serverTime(proof, at) - at.wall);
  }, [clock, proof]);
  return <TileClockContext value={clock}>{children}</TileClockContext>;
}
