import { expect, test } from "vitest";
import { describeRole } from "./describe-role.ts";
import { builtInRoles, type Role } from "./role.ts";
import { isOfferedRight, offeredRights } from "./unused-rights.ts";

test("unused rights are neither offered nor described", () => {
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
  const owner = builtInRoles[0] as Role;
  const words = JSON.stringify(describeRole(owner, { version: 1, tables: [] }));
  expect(words).toMatch(/history/);
  expect(words).not.toMatch(/[Ee]xport/);
});
