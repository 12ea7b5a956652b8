import { expect, it } from "vitest";
import { toNfc } from "./to-nfc.ts";

const MANY = 250_000;

it("composes letters and marks, and orders marks", () => {
  expect(toNfc("a\u0301\u0323")).toBe("ạ́".normalize("NFC"));
  expect(toNfc(`${"x".repeat(200)}e\u0301`)).toBe(`${"x".repeat(200)}é`);
});

it("takes linear time for marks in a row, and does not alter its result", () => {
  const marks = `a${"\u0301".repeat(MANY)}${"\u0323".repeat(MANY)}`;
  expect(toNfc(marks)).toBe(marks);
  const letters = `a${"\u0301".repeat(50)}${"\u0323".repeat(50)}`.repeat(MANY / 50);
  expect(toNfc(toNfc(letters))).toBe(toNfc(letters));
});
