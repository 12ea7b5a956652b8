import { randomInt } from "node:crypto";
import type { Db } from "../store/database.ts";
import {
  countRecoveryCodes,
  replaceRecoveryCodes,
  spendRecoveryCode,
} from "../store/users/recovery-codes.ts";
import { hashToken } from "./tokens.ts";

/**
 * Codes for a lost authenticator. With 120 random bits each they can't be guessed, so a plain hash protects
 * them; the alphabet has no characters that look alike.
 */

const ALPHABET = "abcdefghjkmnpqrstvwxyz0123456789";
const CODES = 10;
const GROUPS = 4;
const GROUP_LENGTH = 6;

/** New codes replacing all earlier ones: shown once. */
export async function issueRecoveryCodes(db: Db, user: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  const hashes = codes.map((code) => hashCode(user, code));
  await replaceRecoveryCodes(db, user, hashes);
  return codes;
}

/** Codes for a user who has none yet; null otherwise. */
export async function firstRecoveryCodes(db: Db, user: string): Promise<string[] | null> {
  return (await countRecoveryCodes(db, user)) > 0 ? null : issueRecoveryCodes(db, user);
}

/** Uses up a code, in any notation; false if there is none. */
export async function takeRecoveryCode(db: Db, user: string, typed: string): Promise<boolean> {
  return spendRecoveryCode(db, user, hashCode(user, typed));
}

function hashCode(user: string, code: string): string {
  const plain = code.toLowerCase().replace(/[^a-z0-9]/g, "");
  return hashToken(`recovery ${user} ${plain}`);
}

function newCode(): string {
  const sign = () => ALPHABET.charAt(randomInt(ALPHABET.length));
  const group = () => Array.from({ length: GROUP_LENGTH }, sign).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}
