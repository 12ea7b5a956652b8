import { randomInt } from "node:crypto";

/** Nothing in it is taken for something else: no 0 and O, no 1, I and L. Told apart at five metres. */
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const LENGTH = 8;

/** A code for the wall: 31^8 possibilities, for ten minutes, and only who may manage displays can try one. */
export function newPairingCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}
