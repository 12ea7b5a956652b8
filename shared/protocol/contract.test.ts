import { expect, it } from "vitest";
import { administrativeRights } from "../policy/role.ts";
import { contract } from "./contract.ts";
import { administrativeRightsOf, type Route } from "./route.ts";

/** They widen what routes for every signed-in user answer (server/views, server/auth/api-tokens). */
const widening = ["sharedViews", "tokens"];

it("each right that roles offer opens something", () => {
  const routes = Object.values<Route>(contract);
  const opening = new Set(routes.flatMap(administrativeRightsOf));
  expect(administrativeRights.filter((right) => !opening.has(right))).toEqual(widening);
});
