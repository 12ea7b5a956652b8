import type {
  CreateWebhookCall,
  PatchWebhookCall,
  WebhookDelivery,
  WebhookInfo,
  WebhookWithSecret,
} from "../../../../shared/protocol/webhooks.ts";
import { rest } from "../../transport/rest.ts";

/** The webhooks, by name. */
export async function listWebhooks(): Promise<WebhookInfo[]> {
  return (await rest("GET /webhooks")).items;
}

export function readWebhook(id: string): Promise<WebhookInfo> {
  return rest("GET /webhooks/{id}", { params: { id } });
}

export function createWebhook(body: CreateWebhookCall): Promise<WebhookWithSecret> {
  return rest("POST /webhooks", { body });
}

/** Changes a webhook; what is absent stays. */
export function changeWebhook(id: string, body: PatchWebhookCall): Promise<WebhookInfo> {
  return rest("PATCH /webhooks/{id}", { params: { id }, body });
}

export function removeWebhook(id: string): Promise<void> {
  return rest("DELETE /webhooks/{id}", { params: { id } });
}

export function pauseWebhook(id: string, to: "pause" | "resume"): Promise<WebhookInfo> {
  return rest(`POST /webhooks/{id}/${to}`, { params: { id } });
}

/** Replaces the secret; the answer is the only one that holds the new one. */
export function rotateSecret(id: string): Promise<WebhookWithSecret> {
  return rest("POST /webhooks/{id}/rotate-secret", { params: { id } });
}

/** Sends a test event and waits for what becomes of it. */
export function testWebhook(id: string): Promise<WebhookDelivery> {
  return rest("POST /webhooks/{id}/test", { params: { id } });
}

/** The newest deliveries of a webhook, and how many there are. */
export function listDeliveries(
  id: string,
  limit: number,
): Promise<{ items: WebhookDelivery[]; total: number }> {
  return rest("GET /webhooks/{id}/deliveries", { params: { id }, query: { limit } });
}

export function replayDelivery(id: string, delivery: string): Promise<WebhookDelivery> {
  return rest("POST /webhooks/{id}/deliveries/{delivery}/replay", { params: { id, delivery } });
}
