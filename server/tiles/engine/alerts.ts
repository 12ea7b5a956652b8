import type { Json } from "../../../shared/filter/filter.ts";
import type { Threshold } from "../../../shared/model/wallboard/tile-parts.ts";
import type { Alert, FrameMessage } from "../../../shared/protocol/frame.ts";

/** Who has seen an alert, since when; undefined where nobody has. */
export type FindAcknowledgement = (
  tile: string,
  row: string,
  word: string,
) => { by: string; at: string } | undefined;

/**
 * Which thresholds of a scene hold, with memory: one that holds lets go only when the figure has gone
 * back by its hysteresis, so that a figure that trembles does not flash.
 */
export class Alerts {
  readonly #held = new Map<string, { word: string; since: string }>();

  /** Goes on with what another server has told, so that an alert does not begin anew there. */
  remember(frame: FrameMessage): void {
    for (const [id, { alert, rows = [] }] of Object.entries(frame.tiles)) {
      if (alert) this.#held.set(heldKey(id, ""), alert);
      for (const row of rows) {
        if (row.alert) this.#held.set(heldKey(id, JSON.stringify(row.key)), row.alert);
      }
    }
  }

  /** The alert of a tile's figure, or of one of its rows; null where no threshold holds. */
  judge(
    at: { tile: string; row: Json | undefined; value: Json; now: string },
    thresholds: readonly Threshold[],
    acknowledged: FindAcknowledgement,
  ): Alert | null {
    const row = at.row === undefined ? "" : JSON.stringify(at.row);
    const key = heldKey(at.tile, row);
    const before = this.#held.get(key);
    const figure = at.value === null ? Number.NaN : Number(at.value);
    const threshold = thresholds.findLast((one) => holds(one, figure, one.word === before?.word));
    if (!threshold) {
      this.#held.delete(key);
      return null;
    }
    const { word, colour, flash = false, sound = false } = threshold;
    const since = before?.word === word ? before.since : at.now;
    this.#held.set(key, { word, since });
    const seen = acknowledged(at.tile, row, word);
    const isSeen = seen !== undefined && Date.parse(seen.at) >= Date.parse(since);
    return {
      word,
      colour,
      flash,
      sound,
      since,
      acknowledged: isSeen ? { by: seen.by, at: seen.at } : null,
    };
  }
}

function holds({ at, below, hysteresis = 0 }: Threshold, figure: number, isHeld: boolean): boolean {
  const grace = isHeld ? hysteresis : 0;
  return below ? figure <= at + grace : figure >= at - grace;
}

function heldKey(tile: string, row: string): string {
  return `${tile} ${row}`;
}
