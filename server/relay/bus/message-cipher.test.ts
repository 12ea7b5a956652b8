import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { MessageCipher } from "./message-cipher.ts";

const key = randomBytes(32);
let now = 1_700_000_000_000;
const clock = () => now;
const pair = () => [new MessageCipher(key, clock), new MessageCipher(key, clock)] as const;
const text = "feeds {}";

describe("a message between servers", () => {
  it("is read by the others, in any script and length", () => {
    const [one, other] = pair();
    for (const plaintext of ["", "x", "Grüße 中文 \u0000", "y".repeat(1_000_000)]) {
      expect(other.decrypt(one.encrypt(plaintext))).toEqual({ text: plaintext });
    }
  });

  it("shows nothing of its text, and no two look alike", () => {
    const [one] = pair();
    const [first, second] = [one.encrypt("a secret"), one.encrypt("a secret")];
    expect(first.includes("secret")).toBe(false);
    expect(first.subarray(-20).equals(second.subarray(-20))).toBe(false);
  });

  it("is rejected if any bit of it was changed", () => {
    const [one, other] = pair();
    const message = one.encrypt(text);
    for (let bit = 0; bit < message.length * 8; bit += 1) {
      const altered = Buffer.from(message);
      altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect([bit, other.decrypt(altered)]).toEqual([bit, { rejected: "forged" }]);
    }
    expect(other.decrypt(message)).toEqual({ text });
  });

  it("is rejected if it was cut, extended, or encrypted with another key", () => {
    const [one, other] = pair();
    const message = one.encrypt(text);
    for (let length = 0; length < message.length; length += 1) {
      expect(other.decrypt(message.subarray(0, length))).toEqual({ rejected: "forged" });
    }
    expect(other.decrypt(Buffer.concat([message, Buffer.alloc(1)]))).toEqual({
      rejected: "forged",
    });
    const outsider = new MessageCipher(randomBytes(32), clock);
    expect(other.decrypt(outsider.encrypt(text))).toEqual({ rejected: "forged" });
  });

  it("is accepted once, and not after a later one", () => {
    const [one, other] = pair();
    const [first, second, third] = [one.encrypt("1"), one.encrypt("2"), one.encrypt("3")];
    expect(other.decrypt(first)).toEqual({ text: "1" });
    expect(other.decrypt(first)).toEqual({ rejected: "replayed" });
    expect(other.decrypt(third)).toEqual({ text: "3" });
    expect(other.decrypt(second)).toEqual({ rejected: "replayed" });
  });

  it("is rejected when it is old, also by a server that has just started", () => {
    const [one, other] = pair();
    const message = one.encrypt(text);
    now += 11_000;
    expect(other.decrypt(message)).toEqual({ rejected: "replayed" });
    expect(new MessageCipher(key, clock).decrypt(message)).toEqual({ rejected: "replayed" });
    expect(other.decrypt(one.encrypt(text))).toEqual({ text });
  });

  it("is rejected once it is old also if its sender was forgotten meanwhile", () => {
    const [one, other] = pair();
    const message = one.encrypt(text);
    expect(other.decrypt(message)).toEqual({ text });
    for (let passed = 0; passed < 100_000; passed += 5_000) {
      now += 5_000;
      expect(other.decrypt(new MessageCipher(key, clock).encrypt(text))).toEqual({ text });
      expect(other.decrypt(message)).toEqual({ rejected: "replayed" });
    }
  });

  it("is recognised by its sender when it comes back, and by nobody else", () => {
    const [one, other] = pair();
    const message = one.encrypt(text);
    expect([one.ownCounter(message), other.ownCounter(message)]).toEqual([1, null]);
    expect(one.verifyOwn(message)).toBe(true);
    message.writeUInt8(message.readUInt8(40) ^ 1, 40);
    expect(one.verifyOwn(message)).toBe(false);
    expect(one.ownCounter(Buffer.alloc(3))).toBeNull();
  });
});
