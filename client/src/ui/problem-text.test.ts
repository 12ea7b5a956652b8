import { describe, expect, it } from "vitest";
import { explain } from "../../../shared/error-texts/explain.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import { problemText } from "./problem-text.ts";

describe("problemText", () => {
  it("returns the messages of refused fields", () => {
    const fields = { role: { rule: "option", ...explain("user.noRole") } };
    expect(problemText(new Refusal("validation_failed", { fields }))).toBe(
      "There is no such role.",
    );
  });
  it("includes the reference of an internal error", () => {
    expect(problemText(new Refusal("internal", { reference: "a1b2" }))).toContain("a1b2");
  });
  it("words a general error by its code, and a specific one by its sentence", () => {
    expect(problemText(new Refusal("unavailable"))).toContain("temporarily unavailable");
    expect(problemText(new Refusal("unavailable", { offline: true }))).toContain("be reached");
    expect(problemText(new Refusal("duplicate", {}, explain("role.nameTaken")))).toBe(
      "There is a role with that name.",
    );
  });
  it("promises of a call that failed for now nothing that only edits of records keep", () => {
    // What a form sends is stored nowhere.
    expect(problemText(new Refusal("unavailable"))).toContain("try again");
    expect(problemText(new Refusal("unavailable"))).not.toContain("sent later");
  });
  it("does not show the message of an unexpected error", () => {
    expect(problemText(new TypeError("x is not a function"))).not.toContain("function");
  });
});
