import type { RouteName } from "../../shared/protocol/contract.ts";
import { newWebhook } from "./call-fixtures.ts";
import { nobodyElse, type Row } from "./row.ts";

/** Of a webhook of the owner's. A token changes only those that it has created. */
function webhookRow(end: string, expected: string, body?: object): Row {
  const isOwn = expected.endsWith(" 403");
  return {
    ...(isOwn && { ofToken: "403" }),
    expected: `${expected} ${nobodyElse}`,
    call: async (installation) => {
      const path = `/webhooks/${await newWebhook(installation)}${end}`;
      return body ? { path, body } : { path };
    },
  };
}

/** The paths of webhooks. */
export const webhookRows = {
  "GET /webhooks": { expected: `200 200 ${nobodyElse}` },
  "POST /webhooks": {
    expected: `201 201 ${nobodyElse}`,
    call: async () => ({
      body: { name: "Made", url: "http://127.0.0.1:9/", table: "incidents", events: ["deleted"] },
    }),
  },
  "GET /webhooks/{id}": webhookRow("", "200 200"),
  "PATCH /webhooks/{id}": webhookRow("", "200 403", { name: "Other" }),
  "DELETE /webhooks/{id}": webhookRow("", "204 204"),
  "POST /webhooks/{id}/pause": webhookRow("/pause", "200 200"),
  "POST /webhooks/{id}/resume": webhookRow("/resume", "200 200"),
  "POST /webhooks/{id}/test": webhookRow("/test", "200 403"),
  "POST /webhooks/{id}/rotate-secret": webhookRow("/rotate-secret", "200 403"),
  "GET /webhooks/{id}/deliveries": webhookRow("/deliveries", "200 200"),
  "POST /webhooks/{id}/deliveries/{delivery}/replay": webhookRow(
    "/deliveries/none/replay",
    "404 403",
  ),
} satisfies Partial<Record<RouteName, Row>>;
