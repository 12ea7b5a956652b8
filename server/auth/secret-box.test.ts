import { describe, expect, it } from "vitest";
import { createSecretBox } from "./secret-box.ts";

const key = "a key of more than thirty-two characters";

describe("a stored secret", () => {
  it("is unreadable without the key, and different each time", () => {
    const box = createSecretBox(key);
    const [one, two] = [box.encrypt("JBSWY3DP", "ana"), box.encrypt("JBSWY3DP", "ana")];
    expect(one).not.toContain("JBSWY3DP");
    expect(one).not.toBe(two);
    expect(box.decrypt(one, "ana")).toBe("JBSWY3DP");
    expect(createSecretBox("another key of more than thirty-two").decrypt(one, "ana")).toBeNull();
    expect(createSecretBox(undefined).decrypt(one, "ana")).toBeNull();
  });
  it("is invalid for another user, or when a byte of it was changed", () => {
    const box = createSecretBox(key);
    const encrypted = box.encrypt("JBSWY3DP", "ana");
    expect(box.decrypt(encrypted, "bob")).toBeNull();
    const other = encrypted.slice(0, -2) + (encrypted.endsWith("AA") ? "BB" : "AA");
    expect(box.decrypt(other, "ana")).toBeNull();
    expect(box.decrypt("nonsense", "ana")).toBeNull();
  });
  it("that was stored before there was a key can still be read", () => {
    const encrypted = createSecretBox(undefined).encrypt("JBSWY3DP", "ana");
    expect(createSecretBox(key).decrypt(encrypted, "ana")).toBe("JBSWY3DP");
  });
});
