import type { Json } from "../../../shared/filter/filter.ts";
import type { Threshold } from "../../../shared/model/wallboard/tile-parts.ts";
import type { Alert, FrameMessage } from "../../../shared/protocol/frame.ts";

/** Who acknowledged an alert, and when; undefined if nobody did. */
export type FindAcknowledgement = (
  tile: string,
  row: string,
  word: string,
) => { by: string; at: string } | undefined;

/**
 * Which thresholds of a wallboard are reached, with memory: a threshold is left only when the value has gone back
 * by its hysteresis, so that a fluctuating value does not flash.
 */
export class Alerts {
  readonly #active = new Map<string, { word: string; since: string }>();

  /** Takes over alerts from another evaluation, so that they do not begin again. Of several, the earliest counts. */
  restore(tiles: FrameMessage["tiles"]): void {
    for (const [id, { alert, rows = [] }] of Object.entries(tiles)) {
      this.#restore(alertKey(id, ""), alert);
      for (const row of rows) this.#restore(alertKey(id, JSON.stringify(row.key)), row.alert);
    }
  }

  #restore(key: string, alert: Alert | null | undefined): void {
    const known = this.#active.get(key);
    const isEarlier = !known || (alert && Date.parse(alert.since) < Date.parse(known.since));
    if (alert && isEarlier) this.#active.set(key, { word: alert.word, since: alert.since });
  }

  /** The alert of a tile's value, or of one of its rows; null if no threshold is reached. */
  evaluate(
    at: { tile: string; row: Json | undefined; value: Json; now: string },
    thresholds: readonly Threshold[],
    acknowledged: FindAcknowledgement,
  ): Alert | null {
    const row = at.row === undefined ? "" : JSON.stringify(at.row);
    const key = alertKey(at.tile, row);
    const before = this.#active.get(key);
    const measured = at.value === null ? Number.NaN : Number(at.value);
    const threshold = thresholds.findLast((one) =>
      isExceeded(one, measured, one.word === before?.word),
    );
    if (!threshold) {
      this.#active.delete(key);
      return null;
    }
    const { word, colour, flash = false, sound = false } = threshold;
    // One that began in the future began before the clock was set back: nobody could acknowledge it until then.
    const hasBegun = before?.word === word && Date.parse(before.since) <= Date.parse(at.now);
    const since = hasBegun ? before.since : at.now;
    this.#active.set(key, { word, since });
    const acknowledgement = acknowledged(at.tile, row, word);
    const isAcknowledged =
      acknowledgement !== undefined && Date.parse(acknowledgement.at) >= Date.parse(since);
    return {
      word,
      colour,
      flash,
      sound,
      since,
      acknowledged: isAcknowledged ? { by: acknowledgement.by, at: acknowledgement.at } : null,
    };
  }
}

function isExceeded(
  { at, below, hysteresis = 0 }: Threshold,
  measured: number,
  isActive: boolean,
): boolean {
  const grace = isActive ? hysteresis : 0;
  return below ? measured <= at + grace : measured >= at - grace;
}

function alertKey(tile: string, row: string): string {
  return `${tile} ${row}`;
}
