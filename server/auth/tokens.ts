import { createHash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;

/** A secret of 256 bits that fits a URL and a cookie unescaped. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** What is stored instead of a token. No salt and no stretching: 256 random bits can't be guessed. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
