import { describe, expect, it } from "vitest";
import { createSignInLinks } from "./sign-in-links.ts";

describe("a sign-in link", () => {
  it("lets one person in, once", () => {
    const links = createSignInLinks();
    const token = links.issue("mira", "/t/incidents");
    expect(links.take(`${token}x`)).toBeNull();
    expect(links.take(token)).toEqual({ user: "mira", to: "/t/incidents" });
    expect(links.take(token)).toBeNull();
  });

  it("is worth nothing after an hour", () => {
    let now = 0;
    const links = createSignInLinks(() => now);
    const token = links.issue("mira", "/");
    now = 3_600_001;
    expect(links.take(token)).toBeNull();
  });
});
