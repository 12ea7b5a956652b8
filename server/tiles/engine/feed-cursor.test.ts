import { describe, expect, it } from "vitest";
import type { LogChange } from "../../store/log-change.ts";
import { FeedCursor } from "./feed-cursor.ts";

const CHANGES = 300_000;

const change = (seq: number): LogChange => ({
  ...{ seq, kind: "insert", record: `r${seq}`, before: null, after: {}, entry: seq },
  ...{ by: { kind: "system", id: "test", name: "test" }, at: "2026-01-01T00:00:00Z" },
});

describe("a feed as the tiles have applied it", () => {
  it("passes on any number of changes that arrived between two rounds", () => {
    const tail = { table: "t", epoch: "e", seq: 0, catchUp: async () => {}, recent: () => null };
    const cursor = new FeedCursor(tail);
    const collected = cursor.collect();
    cursor.note(Array.from({ length: CHANGES }, (_, index) => change(index + 1)));
    expect(cursor.advanceTo(CHANGES)).toHaveLength(CHANGES);
    expect(collected.changes).toHaveLength(CHANGES);
    expect(cursor.position).toBe(CHANGES);
  });
});
