import { describe, expect, it } from "vitest";
import { Refusal } from "../../../shared/protocol/errors.ts";
import { problemText } from "./problem-text.ts";

describe("a failure in words", () => {
  it("is what each field says, where fields were refused", () => {
    const fields = { role: { rule: "option", message: "There is no such role." } };
    expect(problemText(new Refusal("validation_failed", { fields }))).toBe(
      "There is no such role.",
    );
  });
  it("carries the reference of a failure of ours", () => {
    expect(problemText(new Refusal("internal", { reference: "a1b2" }))).toContain("a1b2");
  });
  it("shows nothing of the inside of an unexpected failure", () => {
    expect(problemText(new TypeError("x is not a function"))).not.toContain("function");
  });
});
