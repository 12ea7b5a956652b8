import { createHash, randomBytes } from "node:crypto";
import { explain } from "../../shared/error-texts/explain.ts";
import { Refusal } from "../../shared/protocol/errors.ts";

const TOKEN_BYTES = 32;

/** A secret of 256 bits that fits a URL and a cookie unescaped. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** The characters that lists show of an API token. */
export const API_TOKEN_PREFIX_LENGTH = 11;
const API_TOKEN = /^wf_[\w-]{43}$/;
const SESSION_TOKEN = /^[\w-]{43}$/;

/** A token for programs. Its prefix lets readers and secret scanners recognise it. */
export function newApiToken(): string {
  return `wf_${newToken()}`;
}

/** Whether a credential has the form of an API token; that of a session is shorter. */
export function isApiToken(token: string): boolean {
  return API_TOKEN.test(token);
}

/** The refusal of a credential that is not valid, or not any more. Anything but a session token is reported as an API token. */
export function endedCredential(token: string): Refusal {
  return new Refusal(
    "session_ended",
    {},
    SESSION_TOKEN.test(token) ? undefined : explain("session.tokenEnded"),
  );
}

/** What is stored instead of a token. No salt and no stretching: 256 random bits can't be guessed. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
