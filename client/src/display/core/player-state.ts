import { type Moment, serverTime } from "../../../../shared/protocol/freshness.ts";
import type { DisplayProgram } from "../../../../shared/protocol/signals.ts";
import type { CachedWallboard } from "./display-storage.ts";
import type { ShownCode } from "./pairing.ts";

/** What the screen shows, as one union. */
export type PlayerState =
  /** Nothing is known yet; `since` says how long the server has not answered. */
  | { phase: "starting"; since: number }
  /** The code to be typed in the console. */
  | { phase: "pairing"; pairing: ShownCode; wasRevoked: boolean }
  | Playing;

export interface Playing {
  phase: "playing";
  program: DisplayProgram;
  /** When the program was received. */
  programAt: Moment;
  /** The wallboard on the screen; null while none could be shown. */
  current: CachedWallboard | null;
  /** The wallboards of the rotation, and the one on the screen, with an alert that flashes or sounds. */
  alerting: readonly CachedWallboard[];
  /** Whether there is a line to the server. */
  isConnected: boolean;
  /** The server can be reached, but the network does not let a live connection pass. */
  isBlocked: boolean;
  /** The server works without its bus or its store: what others change may come late. */
  isDegraded: boolean;
  /** How many wallboards of the program were refused one after the other: all of them is worth a word. */
  refused: number;
}

/** The server's clock: by the proof of the wallboard on the screen, else by the program. This machine's may be wrong. */
export function serverNow({ current, program, programAt }: Playing, now: Moment): number {
  const byProgram = { serverNow: Date.parse(program.now), receivedAt: programAt };
  return serverTime(current?.proof ?? byProgram, now);
}
