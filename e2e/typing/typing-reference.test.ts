import { describe, expect, it } from "vitest";
import { compare } from "./compare-series.ts";
import { type Key, placesOf, type Sheet } from "./typing-reference.ts";

const sheet: Sheet = {
  columns: [
    { field: "name", kind: "text" },
    { field: "ward", kind: "link", choices: { North: "n", "North 1": "n1" } },
    { field: "places", kind: "integer" },
  ],
  records: ["a", "b", "c"],
  values: new Map([["b", { name: "Old", ward: null, places: "1" }]]),
};

/** The keys of a script: words are typed, `<Tab>` and the like are pressed. */
function keysOf(script: string): Key[] {
  const parts = script.match(/<[^>]+>|[^<]/g) ?? [];
  return parts.map((part) => (part.length > 1 ? { press: part.slice(1, -1) } : { type: part }));
}

/** Where the texts of a script go, begun in a row and a column. */
function places(script: string, row = 0, column = 0): string[] {
  const writes = placesOf(sheet, { row, column }, keysOf(script));
  return writes.map(({ record, field, text, value }) =>
    value === undefined ? `${record} ${field} lists ${text}` : `${record} ${field} ${value}`,
  );
}

describe("the reference of what is typed", () => {
  it("goes right by Tab, and by Enter to the row below where the run of Tabs began", () => {
    expect(places("A<Tab>North<Tab>3<Enter>B<Enter>C")).toEqual([
      ...["a name A", "a ward n", "a places 3", "b name B"],
    ]);
    expect(places("North<Tab>3<Enter>North 1<Enter>", 0, 1)).toEqual([
      ...["a ward n", "a places 3", "b ward n1"],
    ]);
  });

  it("lists a text that names nothing, and goes on", () => {
    expect(places("Nort<Tab>3<Tab>", 0, 1)).toEqual(["a ward lists Nort", "a places 3"]);
  });

  it("replaces by typing, goes on with the value by F2, drops by Escape and clears by Delete", () => {
    expect(places("New<Enter>", 1)).toEqual(["b name New"]);
    expect(places("<F2>er<Enter>", 1)).toEqual(["b name Older"]);
    expect(places("x<Escape><Delete>", 1)).toEqual(["b name null"]);
  });

  it("goes on to the next row by Tab at the end of one", () => {
    expect(places("3<Tab>B<Tab>", 0, 2)).toEqual(["a places 3", "b name B"]);
    expect(places("3<Tab><ArrowUp>C<Tab>", 2, 2)).toEqual(["c places 3", "c name C"]);
  });

  it("goes through a new record by Tab and Enter, and on to another one, never to the rows below", () => {
    expect(places("<New>A<Enter>North<Enter>3<Tab>B<Tab>North 1<Enter>C<Tab>")).toEqual([
      ...["new 1 name A", "new 1 ward n", "new 1 places 3"],
      ...["new 2 name B", "new 2 ward n1", "new 3 name C"],
    ]);
  });

  it("begins records below the last row, one after the other", () => {
    expect(places("C<Enter>D<Tab>North<Enter>E<Enter>", 2)).toEqual([
      ...["c name C", "new 1 name D", "new 1 ward n", "new 2 name E"],
    ]);
  });

  it("pastes to the right and down, and in a new record makes new ones of the further rows", () => {
    const paste: Key = { paste: [["A", "North"], ["B"]] };
    const at = { row: 1, column: 0 };
    const pasted = (...before: Key[]) =>
      placesOf(sheet, at, [...before, paste]).map(({ record, field }) => `${record} ${field}`);
    expect(pasted()).toEqual(["b name", "b ward", "c name"]);
    expect(pasted({ press: "New" })).toEqual(["new 1 name", "new 1 ward", "new 2 name"]);
  });

  it("goes on with a run of Tabs after a paste of one cell, as after a text", () => {
    const one: Key = { paste: [["North"]] };
    const keys = [...keysOf("<Tab>"), one, ...keysOf("North 1<Enter>B<Enter>")];
    expect(placesOf(sheet, { row: 0, column: 0 }, keys)).toMatchObject([
      { record: "a", field: "ward", value: "n" },
      { record: "a", field: "ward", value: "n1" },
      { record: "b", field: "name", value: "B" },
    ]);
  });
});

it("finds what is listed with another new record than it was typed into", () => {
  const typed = placesOf(
    sheet,
    { row: 2, column: 2 },
    keysOf("<New><Tab><Tab>7x<Tab>A<Tab><Tab>7y<Enter>"),
  );
  const differences = (first: string) => {
    const listed = [
      { record: first, field: "places", text: "7x" },
      { record: "second", field: "places", text: "7y" },
    ];
    const stored = new Map([
      ...["a", "b", "c"].map((id) => [id, sheet.values.get(id) ?? {}] as const),
    ]);
    stored.set("second", { name: "A", ward: null, places: null });
    const outcome = { stored, logged: new Set<string>(), listed, drafted: [] };
    return compare(sheet, typed, outcome, { values: new Map(), created: new Set() });
  };
  expect(differences("first")).toEqual([]);
  expect(differences("second")).toEqual([`new 1 is not there: {}, with "7x" listed`]);
});

it("leaves a new record the value that a text which is none was typed over", () => {
  const typed = placesOf(
    sheet,
    { row: 2, column: 0 },
    keysOf("<New>A<Tab><Tab>3<Shift+Tab><Tab>7x<Enter>"),
  );
  const stored = new Map(["a", "b", "c"].map((id) => [id, sheet.values.get(id) ?? {}] as const));
  stored.set("first", { name: "A", ward: null, places: "3" });
  const listed = [{ record: "first", field: "places", text: "7x" }];
  const outcome = { stored, logged: new Set<string>(), listed, drafted: [] };
  expect(compare(sheet, typed, outcome, { values: new Map(), created: new Set() })).toEqual([]);
});
