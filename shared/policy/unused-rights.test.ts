import { expect, test } from "vitest";
import { isOfferedRight, offeredRights } from "./unused-rights.ts";

test("unused rights are not offered", () => {
  expect(offeredRights).toEqual([
    "users",
    "roles",
    "model",
    "sharedViews",
    "wallboards",
    "displays",
    "tokens",
    "activity",
  ]);
  expect(["webhooks", "system"].filter((right) => isOfferedRight(right as never))).toEqual([]);
});
