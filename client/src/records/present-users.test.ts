import { describe, expect, it } from "vitest";
import { presentUsersOf } from "./present-users.ts";

function present(id: string, mode: "viewing" | "editing", table: string) {
  return { connection: `${id}-${table}`, id, name: `Name ${id}`, colour: "teal", mode, table };
}

describe("who is here", () => {
  it("leaves me out, in all my windows", () => {
    expect(
      presentUsersOf([present("me", "viewing", "a"), present("me", "editing", "b")], "me"),
    ).toEqual([]);
  });

  it("lists a user with several windows once, at the cell they type in", () => {
    const windows = [
      present("x", "viewing", "a"),
      present("x", "editing", "b"),
      present("x", "viewing", "c"),
    ];
    expect(presentUsersOf(windows, "me")).toMatchObject([{ id: "x", table: "b", mode: "editing" }]);
  });

  it("sorts users by name, so that avatars keep their order", () => {
    const users = [present("b", "viewing", "t"), present("a", "editing", "t")];
    expect(presentUsersOf(users, "me").map((user) => user.id)).toEqual(["a", "b"]);
  });
});
