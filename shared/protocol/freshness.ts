import type { FrameMessage, ProvenMessage } from "./frame.ts";

/** Values that were not confirmed for this long are marked as lost; a little earlier, in fact. */
export const DISPLAY_STALE_MS = 10_000;

/**
 * How fresh the values of a wallboard are: one rule for displays, dashboards, drafts and counts. The
 * server confirms every 2.5 s that nothing changed. Without confirmation a screen marks its values
 * as old by itself, whatever the state of the connection.
 */

/** `live`: confirmed as of now. `behind`: right some seconds ago. `lost`: unconfirmed for too long. */
export type Freshness = "live" | "behind" | "lost";

/** A confirmation arrives every 2.5 s: values younger than this part of the limit are live. */
const LIVE_PART = 0.4;
/** From here on values are lost; well within the promised time. */
const LOST_PART = 0.8;

/** Both clocks of a machine. One may be set at any time, the other may stop during sleep. */
export interface Moment {
  wall: number;
  steady: number;
}

/** A confirmation by the server. */
export interface Proof {
  /** The values are right for everything committed up to then, by the server's clock. */
  asOf: number;
  /** The server's clock when it was sent. */
  serverNow: number;
  /** This machine's clocks when it was received. */
  receivedAt: Moment;
}

export interface Age {
  freshness: Freshness;
  /** How old the values are, in milliseconds. */
  ageMs: number;
}

/**
 * How much time has passed, whatever was done to a clock meanwhile: the longer of both. After a jump forward
 * values count as old until the next confirmation, which corrects it.
 */
export function elapsedMs(from: Moment, to: Moment): number {
  return Math.max(to.steady - from.steady, to.wall - from.wall, 0);
}

/** The server's clock as far as it is known. */
export function serverTime(
  { serverNow, receivedAt }: Pick<Proof, "serverNow" | "receivedAt">,
  now: Moment,
): number {
  return serverNow + elapsedMs(receivedAt, now);
}

/**
 * How fresh the values of a wallboard are, which all have one proof: live, behind, and lost a little before they were unconfirmed for
 * DISPLAY_STALE_MS (`LIVE_PART` and `LOST_PART` of it).
 */
export function ageOf(proof: Proof | null, now: Moment): Age {
  if (!proof) return { freshness: "lost", ageMs: Number.POSITIVE_INFINITY };
  const ageMs = Math.max(serverTime(proof, now) - proof.asOf, 0);
  const freshness =
    ageMs < DISPLAY_STALE_MS * LIVE_PART
      ? "live"
      : ageMs < DISPLAY_STALE_MS * LOST_PART
        ? "behind"
        : "lost";
  return { freshness, ageMs };
}

/** A frame says as of when it is right, but not the current time: that is known from earlier confirmations. */
export function proofOfFrame(
  { asOf: text }: Pick<FrameMessage, "asOf">,
  known: Proof | null,
  receivedAt: Moment,
): Proof {
  const asOf = Date.parse(text);
  const serverNow = Math.max(asOf, known ? serverTime(known, receivedAt) : asOf);
  return { asOf, serverNow, receivedAt };
}

/**
 * The confirmation of a wallboard whose last one is `known`. It goes back only if the server's clock was set back: values
 * that count as right until some time to come would not age until then.
 */
export function proofOf(
  { asOf, now }: Pick<ProvenMessage, "asOf" | "now">,
  known: Proof | null,
  receivedAt: Moment,
): Proof {
  const serverNow = Date.parse(now);
  const latest = Math.max(Date.parse(asOf), known?.asOf ?? 0);
  return { asOf: Math.min(latest, serverNow), serverNow, receivedAt };
}
