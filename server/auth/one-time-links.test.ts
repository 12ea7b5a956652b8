import { describe, expect, it } from "vitest";
import { createOneTimeLinks } from "./one-time-links.ts";

describe("a one-time link", () => {
  it("opens its target, once", () => {
    const links = createOneTimeLinks<{ user: string; to: string }>();
    const token = links.issue({ user: "mira", to: "/t/incidents" });
    expect(links.take(`${token}x`)).toBeNull();
    expect(links.take(token)).toEqual({ user: "mira", to: "/t/incidents" });
    expect(links.take(token)).toBeNull();
  });

  it("is invalid after an hour", () => {
    let now = 0;
    const links = createOneTimeLinks<string>(() => now);
    const token = links.issue("wall");
    now = 3_600_001;
    expect(links.take(token)).toBeNull();
  });
});
