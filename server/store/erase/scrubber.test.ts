import { expect, it } from "vitest";
import { Scrubber } from "./scrubber.ts";

it("replaces a value as a whole, and within texts only where it is not part of a word", () => {
  const scrubber = new Scrubber(["Ann", 'W. "B" (x) a-b/c $1', "no", 12_345]);
  expect(scrubber.text("Annual Ann, Joann: Ann!")).toBe("Annual [erased], Joann: [erased]!");
  expect(scrubber.text('Is W. "B" (x) a-b/c $1 in?')).toBe("Is [erased] in?");
  expect(scrubber.text("no")).toBe("[erased]");
  expect(scrubber.text("There is no one.")).toBe("There is no one.");
  expect(scrubber.json({ Ann: ["Ann", 12_345, 7, null] })).toEqual({
    Ann: ["[erased]", null, 7, null],
  });
});

it("leaves the results of ops readable, whatever numbers they have", () => {
  const results = [{ ok: true, record: "r-123", version: "epoch.123", seq: 123 }];
  expect(new Scrubber([123]).json(results)).toEqual(results);
});
