import { randomBytes } from "node:crypto";
import { createMessageKey, isAuthentic, signMessage } from "../server/relay/bus/redis-bus.ts";
import { FEEDS_CHANNEL } from "../server/relay/feed-messages.ts";
import type { LogSpan } from "../server/store/log-change.ts";
import { median } from "./load/percentile.ts";
import type { Finding } from "./load/report.ts";

/**
 * The cost of authenticating messages between servers and parsing them by a schema: a span of changes from one
 * server to another, beside the same as plain JSON. Redis is left out.
 */
const ROUNDS = 9;
const CHANGES_PER_ROUND = 5_000;
const FIELDS = 20;
const US_PER_MS = 1_000;

export async function busMessages(): Promise<Finding[]> {
  return [1, 10, 500].map((changes) => {
    const text = JSON.stringify({ span: spanOf(changes) });
    const key = createMessageKey(randomBytes(32));
    const plain = () => JSON.parse(Buffer.from(text).toString());
    const authenticated = () => {
      const message = signMessage(text, key);
      if (!isAuthentic(message, key)) throw new Error("The message was rejected.");
      FEEDS_CHANNEL.schema.parse(JSON.parse(message.slice(message.indexOf(" "))));
    };
    return {
      what: `a message of ${changes} changes, ${Math.round(text.length / 100) / 10} kB`,
      names: ["plain JSON", "product"],
      floor: timeOf(plain, changes),
      product: timeOf(authenticated, changes),
      unit: "µs",
      target: null,
    };
  });
}

function timeOf(work: () => void, changes: number): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const count = Math.ceil(CHANGES_PER_ROUND / changes);
    const startedAt = performance.now();
    for (let n = 0; n < count; n += 1) work();
    return ((performance.now() - startedAt) * US_PER_MS) / count;
  });
  return median(times);
}

function spanOf(count: number): LogSpan {
  const values = Object.fromEntries(
    Array.from({ length: FIELDS }, (_, n) => [`field_${n}`, `a value of field ${n}`]),
  );
  const changes = Array.from({ length: count }, (_, n) => ({
    seq: n + 1,
    kind: "update" as const,
    record: `record-${n}`,
    before: { field_1: "before" },
    after: values,
    entry: n + 1,
    by: { kind: "user" as const, id: "u", name: "U" },
    at: "2026-11-22T12:00:00.000000Z",
  }));
  return { table: "incidents", epoch: "e", from: 0, to: count, changes };
}
