import { describe, expect, it } from "vitest";
import { FEEDS_CHANNEL } from "./feed-messages.ts";

const by = { kind: "user", id: "u", name: "U" };
const insert = { seq: 1, kind: "insert", record: "r", before: null, after: { n: 1 }, by, at: "t" };
const span = { table: "t", epoch: "e", from: 0, to: 1, changes: [insert] };
const head = { table: "t", epoch: "e", head: 1, floor: 0 };
const accepts = (message: unknown) => FEEDS_CHANNEL.schema.safeParse(message).success;
const withChange = (change: unknown) => ({ span: { ...span, changes: [change] } });

describe("the schema of feed messages", () => {
  it("accepts spans and heads, and preserves keys that a newer server adds", () => {
    const message = { span: { ...span, changes: [{ ...insert, later: 1 }] } };
    expect(FEEDS_CHANNEL.schema.parse(message)).toEqual(message);
    expect(accepts({ heads: [head] })).toBe(true);
    expect(accepts({ span: { ...span, to: 0, changes: [] } })).toBe(true);
  });

  it.each([null, 7, "span", {}, [], { span: null }, { heads: [{}] }, { heads: [null] }])(
    "rejects %j",
    (message) => expect(accepts(message)).toBe(false),
  );

  it("rejects an invalid change, or one whose position is not the next", () => {
    expect(accepts(withChange(null))).toBe(false);
    for (const key of Object.keys(insert)) {
      const { [key as "seq"]: _, ...rest } = insert;
      expect([key, accepts(withChange(rest))]).toEqual([key, false]);
    }
    expect(accepts(withChange({ ...insert, seq: 2 }))).toBe(false);
    expect(accepts({ span: { ...span, to: 2 } })).toBe(false);
    expect(accepts({ span: { ...span, from: -1, to: 0 } })).toBe(false);
  });

  it("rejects values that do not belong to the kind of change", () => {
    expect(accepts(withChange({ ...insert, after: null }))).toBe(false);
    expect(accepts(withChange({ ...insert, before: {} }))).toBe(false);
    expect(accepts(withChange({ ...insert, kind: "delete" }))).toBe(false);
    expect(accepts(withChange({ ...insert, kind: "truncate" }))).toBe(false);
    expect(accepts(withChange({ ...insert, after: ["a"] }))).toBe(false);
  });
});
