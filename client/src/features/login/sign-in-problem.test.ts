import { afterEach, describe, expect, it, vi } from "vitest";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import { signInProblem } from "./sign-in-problem.ts";

afterEach(() => vi.unstubAllGlobals());

describe("signInProblem", () => {
  it("is the same for a wrong password and a malformed email", () => {
    vi.stubGlobal("document", { cookie: "" });
    expect(signInProblem(new Refusal("unauthenticated"))).toBe(
      signInProblem(new Refusal("invalid_request")),
    );
  });
  it("says that cookies are blocked where they are, and not that the password is wrong", () => {
    vi.stubGlobal("location", { host: "desk.example" });
    const cookie = { get: () => "", set: () => {} };
    vi.stubGlobal("document", Object.defineProperty({}, "cookie", cookie));
    expect(signInProblem(new Refusal("unauthenticated"))).toContain(
      "blocks cookies for desk.example",
    );
  });
  it("says how long to wait after too many attempts", () => {
    const problem = signInProblem(new Refusal("rate_limited", { retryAfter: 840 }));
    expect(problem).toBe("Too many attempts. Try again in 14 minutes.");
  });
  it("keeps apart a server that can't be reached from a wrong password", () => {
    expect(signInProblem(new Refusal("unavailable"))).toContain("can't be reached");
  });
});
