import { randomInt } from "node:crypto";

/** Unambiguous characters: no 0 and O, no 1, I and L. Readable at five metres. */
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const LENGTH = 8;

/**
 * A code for the screen: 31^8 possibilities, for ten minutes, and only users who manage displays can try one.
 */
export function newPairingCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}
