import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";

/** Signatures by the Standard Webhooks scheme (standardwebhooks.com), symmetric. */

const SECRET_BYTES = 32;

export function createSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/** The headers of a request; its body is signed by each of the secrets. */
export function signedHeaders(
  secrets: readonly string[],
  { id, seconds, body }: { id: string; seconds: number; body: string },
): Record<string, string> {
  const at = new Date(seconds * 1_000);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body));
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.join(" "),
  };
}
