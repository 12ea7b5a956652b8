import { englishOnly } from "../../shared/error-texts/explain.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { QueryCall } from "../../shared/protocol/feed.ts";
import { parseVersion } from "../../shared/protocol/position.ts";
import type { Place } from "../store/seek.ts";

/** What a caller sends to read a table from its beginning. */
const START = "start";

/**
 * How far somebody has read the records of a table. They are read in the default order, in which no record ever moves: whatever others write
 * meanwhile, each one that is there all the time is read once. What changes after the first page was read is in the log behind its
 * position, which every page names. A cursor needs no secret: it says where to read on, and not what may be read.
 */
export interface RecordCursor {
  /** Of the first page, as `epoch.seq`; null while that is read. */
  position: string | null;
  place: Place | null;
}

export function writeCursor(
  position: string,
  { id, entry = null }: { id: string; entry?: number | null },
): string {
  return Buffer.from(JSON.stringify([position, id, entry])).toString("base64url");
}

/** That of a call; null where it has none. Refuses with `invalid_request` what is no cursor, and one beside an order or an offset. */
export function cursorOf({
  cursor,
  sort = [],
  offset,
}: Pick<QueryCall, "sort" | "offset"> & { cursor?: string | undefined }): RecordCursor | null {
  if (cursor === undefined) return null;
  if (sort.length === 0 && offset === undefined) return readCursor(cursor);
  throw refused("A cursor reads records in their default order, without `sort` and `offset`.");
}

/** Refuses what is no cursor. */
export function readCursor(text: string): RecordCursor {
  if (text === START) return { position: null, place: null };
  const [position, id, entry] = partsOf(text);
  const isPlace = typeof id === "string" && (entry === null || Number.isSafeInteger(entry));
  if (typeof position === "string" && parseVersion(position) && isPlace) {
    return { position, place: { id, values: {}, entry: entry as number | null } };
  }
  throw refused("A cursor is `start`, or the `next` of a page.");
}

const refused = (sentence: string) =>
  new Refusal("invalid_request", { at: "cursor" }, englishOnly(sentence));

function partsOf(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
