import { describe, expect, it } from "vitest";
import { tokenOfAddress } from "./token-of-address.ts";

describe("the token of a one-time link", () => {
  it.each([
    ["#abc_-1", "", "abc_-1"],
    ["#token=abc", "", "abc"],
    ["", "?token=abc", "abc"],
  ])("is read from %j %j", (hash, search, token) => {
    expect(tokenOfAddress({ hash, search })).toBe(token);
  });
  it("is missing where the address has none", () => {
    expect(tokenOfAddress({ hash: "", search: "?view=mine" })).toBeNull();
  });
});
