import { hash } from "node:crypto";
import type { LogChange } from "../store/log-change.ts";

/** 48 bits: two changes have the same mark by chance once in 2.8 × 10^14 comparisons. */
const MARK_LENGTH = 8;

/**
 * A fingerprint of a change, by which its position is known again: a log that was set back assigns its positions anew, to
 * other changes. The same from the bus and from the log, also after the change's values were erased. At most 16 characters.
 */
export function markOf({ record, kind, at, mutation }: LogChange): string {
  const text = JSON.stringify([record, kind, Date.parse(at), mutation]);
  return hash("sha1", text, "base64url").slice(0, MARK_LENGTH);
}
