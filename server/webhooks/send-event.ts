import { type AttemptOutcome, retryDelay } from "../store/deliveries.ts";
import type { WebhookRow } from "../store/webhooks/webhooks.ts";
import { secretOwner, type Webhooks } from "./create-webhooks.ts";
import { sendRequest } from "./send-request.ts";
import { signedHeaders } from "./sign.ts";

/** A receiver that answers so wants no event again. */
const GONE = 410;

/** The secrets that sign; null if they can't be decrypted. */
export function secretsOf(
  { id, secret, formerSecret }: Pick<WebhookRow, "id" | "secret" | "formerSecret">,
  { box }: Webhooks,
): string[] | null {
  const stored = formerSecret === null ? [secret] : [secret, formerSecret];
  const secrets = stored.flatMap((one) => box.decrypt(one, secretOwner(id)) ?? []);
  return secrets.length === stored.length ? secrets : null;
}

export interface Event {
  /** The `webhook-id`. */
  id: string;
  /** Attempts, with this one. */
  attempts: number;
  body: { type: string; [part: string]: unknown };
}

/** Signs and sends an event once, and says what is to be stored of the attempt. */
export async function sendEvent(
  { limits, allowPrivate }: Webhooks,
  url: string,
  secrets: readonly string[],
  { id, attempts, body: content }: Event,
): Promise<AttemptOutcome> {
  const body = JSON.stringify(content);
  const headers = signedHeaders(secrets, { id, seconds: Math.floor(Date.now() / 1_000), body });
  const timeoutMs = limits.WEBHOOK_TIMEOUT_MS;
  const { retryAfterMs, ...result } = await sendRequest({
    url,
    headers,
    body,
    timeoutMs,
    allowPrivate,
  });
  const isLast = attempts >= limits.WEBHOOK_MAX_ATTEMPTS || result.status === GONE;
  const state = result.error === null ? "delivered" : isLast ? "given_up" : "retrying";
  const requestedMs = Math.min(retryAfterMs ?? 0, limits.WEBHOOK_RETRY_MAX_MS);
  const retryMs = Math.max(retryDelay(limits, attempts), requestedMs);
  return { ...result, type: content.type, state, retryMs };
}
