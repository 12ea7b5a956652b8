import { expect, test } from "vitest";
import { nextSort } from "./sort-keys.ts";

test("a header goes round: ascending, descending, none", () => {
  expect(nextSort(["title"], "state", false)).toEqual(["state"]);
  expect(nextSort(["state"], "state", false)).toEqual(["-state"]);
  expect(nextSort(["-state"], "state", false)).toEqual([]);
});

test("with Shift the other keys stay in their places", () => {
  expect(nextSort(["title"], "state", true)).toEqual(["title", "state"]);
  expect(nextSort(["title", "state"], "title", true)).toEqual(["-title", "state"]);
  expect(nextSort(["-title", "state"], "title", true)).toEqual(["state"]);
});
