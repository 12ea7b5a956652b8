import { describe, expect, it } from "vitest";
import type { LogChange, LogSpan } from "../store/log-change.ts";
import { FeedRing } from "./feed-ring.ts";

const BYTES = 1_000_000;

function change(seq: number, length: number): LogChange {
  const by = { kind: "user" as const, id: "u1", name: "Ann" };
  const after = { notes: "x".repeat(length), tags: ["a", "b"], more: { deep: null } };
  return {
    seq,
    kind: "insert",
    record: `r${seq}`,
    before: null,
    after,
    entry: seq,
    by,
    at: "then",
  };
}

function span(from: number, count: number, length: number): LogSpan {
  const changes = Array.from({ length: count }, (_, n) => change(from + n + 1, length));
  return { table: "t", epoch: "e", from, to: from + count, changes };
}

describe("a ring of recent changes", () => {
  it("holds as many small changes as its number allows", () => {
    const ring = new FeedRing(0, { changes: 100, bytes: BYTES });
    for (let from = 0; from < 1_000; from += 10) ring.append(span(from, 10, 5));
    expect(ring.since(900)).toHaveLength(100);
    expect(ring.seq - ring.start).toBeLessThanOrEqual(125);
  });

  it("holds no more bytes than its bound, however few the changes are", () => {
    const ring = new FeedRing(0, { changes: 10_000, bytes: BYTES });
    for (let from = 0; from < 500; from += 1) {
      ring.append(span(from, 1, 25_000));
      expect(ring.bytes).toBeLessThanOrEqual(BYTES);
    }
    expect(ring.seq).toBe(500);
    expect(ring.since(490)?.map(({ seq }) => seq)).toEqual([
      491, 492, 493, 494, 495, 496, 497, 498, 499, 500,
    ]);
    expect(ring.since(400)).toBeNull();
  });

  it("continues after a change that is larger than its bound", () => {
    const ring = new FeedRing(0, { changes: 10, bytes: BYTES });
    ring.append(span(0, 1, BYTES));
    expect([ring.seq, ring.start, ring.bytes]).toEqual([1, 1, 0]);
    ring.append(span(1, 1, 5));
    expect(ring.since(1)).toHaveLength(1);
  });

  it("prepends older changes, the newest first, as far as its bytes allow", () => {
    const ring = new FeedRing(100, { changes: 10_000, bytes: BYTES });
    ring.append(span(100, 1, 5));
    ring.prepend(span(0, 100, 25_000).changes);
    expect(ring.bytes).toBeLessThanOrEqual(BYTES);
    expect(ring.since(90)).toHaveLength(11);
    expect(ring.since(0)).toBeNull();
  });
});
