import { describe, expect, it } from "vitest";
import { nextAfterRefusal, nextAfterSignIn, signInAddress } from "./next-address.ts";

describe("the address after signing in", () => {
  it("returns the user to the page they requested, with its view", () => {
    const address = signInAddress("/t/incidents/42", "view=mine");
    expect(address).toBe("/login?next=%2Ft%2Fincidents%2F42%3Fview%3Dmine");
    expect(nextAfterSignIn(address.split("?")[1] ?? "")).toBe("/t/incidents/42?view=mine");
  });

  it("does not remember the first screen, which is where everybody goes anyway", () => {
    expect(signInAddress("/", "")).toBe("/login");
  });

  it.each([
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/\n\\evil.example",
    "",
  ])("never leaves this site for %j", (next) => {
    expect(nextAfterSignIn(`next=${encodeURIComponent(next)}`)).toBe("/");
  });

  it("is not lost by a refused sign-in", () => {
    expect(nextAfterRefusal("?next=%2Ft%2Fa%3Fb", false)).toBe("/login?next=%2Ft%2Fa%3Fb");
    expect(nextAfterRefusal("?next=%2Fme", true)).toBe("/me");
    expect(nextAfterRefusal("", false)).toBe("/login");
    expect(nextAfterRefusal("?next=https://evil.example", true)).toBe("/");
  });

  it("never leads back to the sign-in page itself", () => {
    expect(nextAfterSignIn("next=%2Flogin%3Fnext%3D%2Flogin")).toBe("/");
  });
});
