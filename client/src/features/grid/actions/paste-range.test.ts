import { describe, expect, it } from "vitest";
import { fakeGrid, shownToasts } from "../testing/fake-grid.ts";
import { pasteRange } from "./paste-range.ts";

type FakeGrid = Awaited<ReturnType<typeof fakeGrid>>;

const titles = ({ stored }: FakeGrid, count: number) =>
  Array.from({ length: count }, (_, index) => stored(`i${index}`, "title"));

/** Selects the titles of these rows, beside what is selected. */
function selectAlso({ grid }: FakeGrid, top: number, bottom = top): void {
  const column = grid.columns.indexOf("title");
  grid.range.select({ anchor: { row: top, column }, head: { row: bottom, column } }, { add: true });
}

const paste = ({ grid, run }: FakeGrid, text: string) =>
  run(pasteRange(grid, { getData: (type) => (type === "text/plain" ? text : "") }));

describe("a paste into several ranges", () => {
  it("fills each of them, wherever their rows are by then, and is undone in one step", async () => {
    const fake = await fakeGrid(6);
    fake.select(0, 1, "title");
    selectAlso(fake, 4);
    fake.change("i4", { rank: -1 });
    await fake.clock.advance(100);
    fake.grid.rowList.realign();
    fake.grid.range.realign();
    await fake.clock.advance(100);
    // Otherwise this proves nothing.
    expect(fake.grid.rowList.indexOf("i4")).toBe(0);
    await paste(fake, "New");
    expect(titles(fake, 6)).toEqual(["New", "New", "Title 2", "Title 3", "New", "Title 5"]);
    fake.change("i1", { title: "Ana's" });
    await fake.clock.advance(100);
    await fake.run(Promise.resolve(fake.grid.core.undo.undo({ table: "incidents" })));
    expect(titles(fake, 6)).toEqual([
      ...["Title 0", "Ana's", "Title 2", "Title 3", "Title 4", "Title 5"],
    ]);
  });

  it("fills each with a block that fits all of them, and each cell once", async () => {
    const fake = await fakeGrid(6);
    fake.select(0, 3, "title");
    selectAlso(fake, 3, 4);
    await paste(fake, "One\nTwo");
    expect(titles(fake, 6)).toEqual(["One", "Two", "One", "One", "Two", "Title 5"]);
  });

  it("pastes nothing where the block does not fit one of them, and says so", async () => {
    const fake = await fakeGrid(6);
    fake.select(0, 1, "title");
    selectAlso(fake, 3, 5);
    await paste(fake, "One\nTwo");
    expect(titles(fake, 6)).toEqual([0, 1, 2, 3, 4, 5].map((index) => `Title ${index}`));
    expect(shownToasts()).toEqual([
      "Nothing was pasted, because the copied cells don't fit each of the selected ranges. Copy one cell, or select one range.",
    ]);
  });

  it("fills those that are left where the last one has been deleted", async () => {
    const fake = await fakeGrid(4);
    fake.select(0, 0, "title");
    selectAlso(fake, 2);
    fake.remove("i2");
    await fake.clock.advance(100);
    await paste(fake, "New");
    expect(titles(fake, 4)).toEqual(["New", "Title 1", undefined, "Title 3"]);
  });

  it("lists as unsaved what goes into a record that has been deleted", async () => {
    const fake = await fakeGrid(4);
    fake.select(1, 3, "title");
    fake.remove("i2");
    await fake.clock.advance(100);
    await paste(fake, "One\nTwo\nThree");
    expect(titles(fake, 4)).toEqual(["Title 0", "One", undefined, "Three"]);
    const { texts } = fake.grid.core;
    const listed = [0, 1, 2, 3].filter((index) => texts.hasTextOf(`i${index}`));
    expect(listed).toEqual([2]);
  });
});

describe("a paste into one range", () => {
  const states = (fake: FakeGrid, count: number) =>
    Array.from({ length: count }, (_, index) => fake.stored(`i${index}`, "state"));

  it("puts a copied row into each of the selected rows, also beyond the selected columns", async () => {
    const fake = await fakeGrid(4);
    fake.select(0, 2, "title");
    await paste(fake, "New\tOpen");
    expect(titles(fake, 4)).toEqual(["New", "New", "New", "Title 3"]);
    expect(states(fake, 4)).toEqual(["Open", "Open", "Open", "Active"]);
    expect(fake.grid.range.size).toMatchObject({ rows: 3, cells: 6 });
  });

  it("puts a copied column into each of the selected columns, also beyond the selected rows", async () => {
    const fake = await fakeGrid(4);
    fake.select(0, 1, "title", "state");
    await paste(fake, "One\nTwo\nThree");
    for (const values of [titles(fake, 4), states(fake, 4)])
      expect(values.slice(0, 3)).toEqual(["One", "Two", "Three"]);
    expect(titles(fake, 4).at(-1)).toBe("Title 3");
  });

  it("goes in once where it is neither a part of the selection nor larger", async () => {
    const fake = await fakeGrid(4);
    fake.select(0, 2, "title");
    await paste(fake, "One\tOpen\nTwo\tOpen");
    expect(titles(fake, 4)).toEqual(["One", "Two", "Title 2", "Title 3"]);
  });

  it("goes into the selected records where they have moved apart", async () => {
    const fake = await fakeGrid(5);
    fake.select(0, 1, "title");
    fake.change("i1", { rank: 9 });
    await fake.clock.advance(100);
    fake.grid.rowList.realign();
    await fake.clock.advance(100);
    fake.grid.range.realign();
    // Otherwise this proves nothing.
    expect(fake.grid.rowList.indexOf("i1")).toBe(4);
    await paste(fake, "New\tOpen");
    expect(titles(fake, 5)).toEqual(["New", "New", "Title 2", "Title 3", "Title 4"]);
  });

  it("makes no new records for who may create none, and says so", async () => {
    const fake = await fakeGrid(2);
    Object.assign(fake.grid.abilities, { create: false });
    fake.select(1, 1, "title");
    await paste(fake, "One\nTwo");
    expect([...fake.server.incidents.records.keys()]).toEqual(["i0", "i1"]);
    expect(titles(fake, 2)).toEqual(["Title 0", "One"]);
    expect(shownToasts().join(" ")).toContain("1 cell was skipped");
  });

  it("leaves out a name that several have, or nobody", async () => {
    const fake = await fakeGrid(3);
    const { grid } = fake;
    const title = { name: "title", label: "Title", type: "person" };
    Object.assign(grid, { fields: new Map([...grid.fields, ["title", title]]) });
    const named = new Map([
      ["Olga", ["olga"]],
      ["Ben", ["ben", "benno"]],
    ]);
    Object.assign(grid.labels, { resolve: async () => named });
    fake.select(0, 2, "title");
    await paste(fake, "Ben\nOlga\nNobody");
    expect(titles(fake, 3)).toEqual(["Title 0", "olga", "Title 2"]);
  });
});
