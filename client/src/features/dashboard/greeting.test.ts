import { describe, expect, it } from "vitest";
import { greeting } from "./greeting.ts";

describe("the greeting", () => {
  it.each([
    [3, "Good evening, Mara"],
    [9, "Good morning, Mara"],
    [12, "Good afternoon, Mara"],
    [23, "Good evening, Mara"],
  ])("at %i o'clock is %s", (hour, text) => {
    expect(greeting(new Date(2026, 10, 21, hour), " Mara Lindqvist")).toBe(text);
  });
});
