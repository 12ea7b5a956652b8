import { describe, expect, it } from "vitest";
import { colleaguesOf } from "./colleagues.ts";

function present(id: string, mode: "viewing" | "editing", table: string) {
  return { connection: `${id}-${table}`, id, name: `Name ${id}`, colour: "teal", mode, table };
}

describe("who is here", () => {
  it("leaves me out, in all my windows", () => {
    expect(
      colleaguesOf([present("me", "viewing", "a"), present("me", "editing", "b")], "me"),
    ).toEqual([]);
  });

  it("names a person with several windows once, where they type", () => {
    const windows = [
      present("x", "viewing", "a"),
      present("x", "editing", "b"),
      present("x", "viewing", "c"),
    ];
    expect(colleaguesOf(windows, "me")).toMatchObject([{ id: "x", table: "b", mode: "editing" }]);
  });

  it("orders people by name, so that faces do not jump about", () => {
    const people = [present("b", "viewing", "t"), present("a", "editing", "t")];
    expect(colleaguesOf(people, "me").map((person) => person.id)).toEqual(["a", "b"]);
  });
});
