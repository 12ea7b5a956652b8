import { createHmac, hkdfSync } from "node:crypto";
import type { LogChange } from "../store/log-change.ts";

/** 48 bits: two changes have the same mark by chance once in 2.8 × 10^14 comparisons. */
const MARK_LENGTH = 8;

/** The key of marks. All servers of an installation share the secret, so a mark is valid on every server. */
export function createMarkKey(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", "watchfloor marks", 32));
}

/**
 * A fingerprint of a change, by which its position is known again: a log that was set back assigns its positions anew, to
 * other changes. The same from the bus and from the log, also after the change's values were erased. At most 16 characters.
 * It is keyed, because it is sent to clients that may not see the change: they can't try out which record it is of.
 */
export function markOf(change: LogChange, key: Buffer): string {
  return createHmac("sha256", key)
    .update(identityOf(change))
    .digest("base64url")
    .slice(0, MARK_LENGTH);
}

/** What distinguishes a change from any other, whatever their positions. Unlike a mark it must not be sent to clients. */
export function identityOf({ record, kind, at, mutation }: LogChange): string {
  return JSON.stringify([record, kind, Date.parse(at), mutation]);
}
