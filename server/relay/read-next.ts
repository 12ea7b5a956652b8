import type { Position } from "../../shared/protocol/position.ts";
import type { LogChange, ReadSpan } from "../store/log-change.ts";
import { type FeedLog, SPAN_MAX_CHANGES } from "./feed-log.ts";
import { identityOf } from "./mark-of.ts";

/** From where a feed is read on. */
interface ReadPlace extends Position {
  table: string;
  /** The change at the position, if it was read before. */
  last: LogChange | undefined;
}

/**
 * The log of a table after a position. With more than `maxBehind` changes there, it is an empty span at the head (`from` is
 * beyond the position): clients read what they show again, instead of waiting for a million changes of which they show
 * fifty, while the edits behind these wait, too. Null if there is no such feed.
 */
export async function readNext(
  log: FeedLog,
  place: ReadPlace,
  maxBehind: number,
): Promise<ReadSpan | null> {
  const span = await readOn(log, place);
  const isTooFar = span?.epoch === place.epoch && span.head - place.seq > maxBehind;
  return isTooFar ? { ...span, from: span.head, to: span.head, changes: [] } : span;
}

/**
 * Reads the change at the position, too. If that is another one than the `last` that was read before, the log was set back and
 * assigned its positions anew: then another epoch begins, to which the span belongs.
 */
async function readOn(
  log: FeedLog,
  { table, epoch, seq, last }: ReadPlace,
): Promise<ReadSpan | null> {
  const read = () => log.readSpan(table, seq, SPAN_MAX_CHANGES);
  if (!last) return read();
  const span = await log.readSpan(table, seq - 1, SPAN_MAX_CHANGES + 1);
  const [found, ...changes] = span?.changes ?? [];
  // It was pruned, or an epoch has begun since.
  if (!span || found?.seq !== seq || span.epoch !== epoch) return read();
  if (identityOf(found) === identityOf(last)) {
    // The change there may be as large as a part may be.
    const isCut = changes.length === 0 && seq < span.head;
    return isCut ? read() : { ...span, from: seq, changes };
  }
  await log.abandonEpoch(table, epoch);
  return read();
}
