import type { Position } from "../../shared/protocol/position.ts";
import type { LogChange, ReadSpan } from "../store/log-change.ts";
import { type FeedLog, SPAN_MAX_CHANGES } from "./feed-log.ts";
import { identityOf } from "./mark-of.ts";

/**
 * The log of a table after a position, read together with the change there. If that is another one than the `last` that was
 * read before, the log was set back and assigned its positions anew: then another epoch begins, to which the span
 * belongs. Null if there is no such feed.
 */
export async function readNext(
  log: FeedLog,
  { table, epoch, seq }: Position & { table: string },
  last: LogChange | undefined,
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
