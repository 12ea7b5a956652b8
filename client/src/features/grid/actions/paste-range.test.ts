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
    fake.grid.window.realign();
    fake.grid.range.realign();
    await fake.clock.advance(100);
    // Otherwise this proves nothing.
    expect(fake.grid.window.indexOf("i4")).toBe(0);
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
});
