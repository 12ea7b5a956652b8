import { describe, expect, it } from "vitest";
import { createSecretBox } from "./secret-box.ts";

const key = "a key of more than thirty-two characters";

describe("a secret that is kept", () => {
  it("is unreadable without the key, and different each time", () => {
    const box = createSecretBox(key);
    const [one, two] = [box.seal("JBSWY3DP", "ana"), box.seal("JBSWY3DP", "ana")];
    expect(one).not.toContain("JBSWY3DP");
    expect(one).not.toBe(two);
    expect(box.open(one, "ana")).toBe("JBSWY3DP");
    expect(createSecretBox("another key of more than thirty-two").open(one, "ana")).toBeNull();
    expect(createSecretBox(undefined).open(one, "ana")).toBeNull();
  });
  it("is worth nothing for somebody else, or when a byte of it was changed", () => {
    const box = createSecretBox(key);
    const sealed = box.seal("JBSWY3DP", "ana");
    expect(box.open(sealed, "bob")).toBeNull();
    const other = sealed.slice(0, -2) + (sealed.endsWith("AA") ? "BB" : "AA");
    expect(box.open(other, "ana")).toBeNull();
    expect(box.open("nonsense", "ana")).toBeNull();
  });
  it("that was kept before there was a key can still be read", () => {
    const sealed = createSecretBox(undefined).seal("JBSWY3DP", "ana");
    expect(createSecretBox(key).open(sealed, "ana")).toBe("JBSWY3DP");
  });
});
