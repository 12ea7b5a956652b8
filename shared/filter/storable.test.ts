import { describe, expect, it } from "vitest";
import { isStorable, isStorableJson } from "./storable.ts";

describe("Postgres can store", () => {
  it("any text without NUL and without half a surrogate pair", () => {
    expect(["", "a", "é", "😀", "\\u0000"].map(isStorable)).toEqual(Array(5).fill(true));
    expect(["\0", "a\0b", "\ud83d", "\ude00x"].map(isStorable)).toEqual(Array(4).fill(false));
  });

  it("any JSON of such texts, keys included", () => {
    expect(isStorableJson({ a: ["b", 1, null, true, { c: "\\u0000" }] })).toBe(true);
    expect(isStorableJson({ a: ["b", { c: "\0" }] })).toBe(false);
    expect(isStorableJson({ "\ud800": 1 })).toBe(false);
  });
});
