import { englishOnly } from "../../shared/error-texts/explain.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { QueryCall } from "../../shared/protocol/feed.ts";
import { parseVersion } from "../../shared/protocol/position.ts";
import type { SecretBox } from "../auth/secret-box.ts";
import type { Place } from "../store/seek.ts";

/** What a caller sends to read a table from its beginning. */
const START = "start";

/**
 * How far somebody has read the records of a table. They are read in the default order, in which no record ever moves: whatever others write
 * meanwhile, each one that is there all the time is read once. What changes after the first page was read is in the log behind its
 * position, which every page names. The number in the order of entry is encrypted: numbers in plain text would show how many hidden
 * records are between two that may be read.
 */
export interface RecordCursor {
  /** Of the first page, as `epoch.seq`; null while that is read. */
  position: string | null;
  place: Place | null;
}

export function writeCursor(
  position: string,
  { id, entry = null }: { id: string; entry?: number | null },
  box: SecretBox,
): string {
  const encrypted = entry === null ? null : box.encrypt(String(entry), ownerOf(id));
  return Buffer.from(JSON.stringify([position, id, encrypted])).toString("base64url");
}

const ownerOf = (record: string) => `cursor ${record}`;

/** That of a call; null where it has none. Refuses with `invalid_request` what is no cursor, and one beside an order or an offset. */
export function cursorOf(
  {
    cursor,
    sort = [],
    orderOf,
    offset,
  }: Pick<QueryCall, "sort" | "orderOf" | "offset"> & { cursor?: string | undefined },
  box: SecretBox,
): RecordCursor | null {
  if (cursor === undefined) return null;
  if (sort.length === 0 && orderOf === undefined && offset === undefined)
    return readCursor(cursor, box);
  throw refused(
    "A cursor reads records in their default order, without `sort`, `orderOf` and `offset`.",
  );
}

function readCursor(text: string, box: SecretBox): RecordCursor {
  const position = positionOfCursor(text);
  if (position === null) return { position: null, place: null };
  const [, id, encrypted] = partsOf(text);
  const entry = typeof encrypted === "string" ? box.decrypt(encrypted, ownerOf(String(id))) : null;
  if (typeof id !== "string" || (encrypted !== null && entry === null)) throw refused(NONE);
  return { position, place: { id, values: {}, entry: entry === null ? null : Number(entry) } };
}

/** The position of the first page; null in a cursor that begins to read. Refuses what is no cursor. */
export function positionOfCursor(text: string): string | null {
  if (text === START) return null;
  const [position] = partsOf(text);
  if (typeof position === "string" && parseVersion(position)) return position;
  throw refused(NONE);
}

const NONE = "A cursor is `start`, or the `next` of a page.";

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
