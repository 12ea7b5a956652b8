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
    "webhooks",
    "activity",
  ]);
  expect(["system"].filter((right) => isOfferedRight(right as never))).toEqual([]);
});
