import { describe, expect, it } from "vitest";
import { passwordStrength } from "./password-strength.ts";

describe("the password hint", () => {
  it("says what is missing to the shortest that the server takes", () => {
    expect(passwordStrength("elevenchars").hint).toBe("1 more character");
    expect(passwordStrength("four").hint).toBe("8 more characters");
  });
  it("grows with length and asks for no special signs", () => {
    const steps = ["twelve chars", "sixteen chars ok", "a quite long sentence"].map(
      (password) => passwordStrength(password).steps,
    );
    expect(steps).toEqual([2, 3, 4]);
  });
  it("is not fooled by one character held down", () => {
    expect(passwordStrength("aaaaaaaaaaaaaaaaaaaa").steps).toBe(1);
  });
});
