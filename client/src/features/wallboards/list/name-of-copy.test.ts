import { describe, expect, it } from "vitest";
import { nameOfCopy } from "./name-of-copy.ts";

describe("the name of a copied wallboard", () => {
  it.each([
    ["Floor 2", [], "Floor 2 copy"],
    ["Floor 2", ["Floor 2 copy"], "Floor 2 copy 2"],
    ["Floor 2 copy 2", ["Floor 2 copy", "Floor 2 copy 2"], "Floor 2 copy 3"],
  ])("%s beside %j is %s", (name, taken, copy) => {
    expect(
      nameOfCopy(
        name,
        taken.map((one) => ({ name: one })),
      ),
    ).toBe(copy);
  });
});
