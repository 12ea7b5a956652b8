import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { defaultLimits } from "../../shared/limits.ts";
import type { Webhooks } from "./create-webhooks.ts";
import { sendEvent } from "./send-event.ts";
import { createSecret } from "./sign.ts";

const longest = defaultLimits.WEBHOOK_RETRY_MAX_MS;

it.each([
  ["as long as the receiver asks for", "3600", 3_600_000, 3_600_000],
  ["no longer than the longest wait", "8640000", longest, longest],
  ["at least the wait of the attempt", "0", 1, longest],
])("the next attempt waits %s", async (_what, after, least, most) => {
  const server = createServer((_request, response) => {
    response.writeHead(429, { "retry-after": after }).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const webhooks = { limits: defaultLimits, allowPrivate: true } as Webhooks;
  const event = { id: "e1", attempts: 1, body: { type: "record.updated" } };
  const outcome = await sendEvent(webhooks, url, [createSecret()], event);
  expect(outcome).toMatchObject({ state: "retrying", status: 429 });
  expect(outcome.retryMs).toBeGreaterThanOrEqual(least);
  expect(outcome.retryMs).toBeLessThanOrEqual(most);
  server.close();
});
