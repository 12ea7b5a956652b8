import { useContext, useSyncExternalStore } from "react";
import {
  type Age,
  ageOf,
  type Freshness,
  type Moment,
  type Proof,
} from "../../../shared/protocol/freshness.ts";
import { TileClockContext, useNow } from "./tile-clock.ts";

/** How fresh the values of a wallboard are, checked every second; renders only when that changes. */
export function useFreshness(proof: Proof | null): Freshness {
  const { onSecond } = useContext(TileClockContext);
  return useSyncExternalStore(onSecond, () => ageOf(proof, moment()).freshness);
}

/** The same with the age, which changes every second. */
export function useAge(proof: Proof | null): Age {
  useNow();
  return ageOf(proof, moment());
}

/** Both clocks of this machine. */
export function moment(): Moment {
  return { wall: Date.now(), steady: performance.now() };
}
