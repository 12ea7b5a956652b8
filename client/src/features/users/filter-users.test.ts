import { expect, test } from "vitest";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { filterUsers } from "./filter-users.ts";

const user = (name: string, more: Partial<UserInfo> = {}): UserInfo => ({
  id: name,
  name,
  colour: "red",
  status: "active",
  email: `${name.toLowerCase().replace(" ", ".")}@example.com`,
  role: "viewer",
  attributes: {},
  ...more,
});
const users = [
  user("Aiko Tanaka", { attributes: { group: ["Network", "Desk"] } }),
  user("Tom Okafor", { role: "editor", status: "invited" }),
];
const everybody = { text: "", role: "", status: "" } as const;
const found = (filter: object) =>
  filterUsers(users, { ...everybody, ...filter }).map(({ name }) => name);

test("finds each word of the text in name, email or attributes", () => {
  expect(found({})).toEqual(["Aiko Tanaka", "Tom Okafor"]);
  expect(found({ text: "tan network" })).toEqual(["Aiko Tanaka"]);
  expect(found({ text: "okafor@" })).toEqual(["Tom Okafor"]);
  expect(found({ text: "network okafor" })).toEqual([]);
});

test("filters by role and status as well", () => {
  expect(found({ role: "viewer" })).toEqual(["Aiko Tanaka"]);
  expect(found({ role: "editor", status: "active" })).toEqual([]);
});
