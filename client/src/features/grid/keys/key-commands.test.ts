import { describe, expect, it } from "vitest";
import { gridKeys } from "../../../ui/grid-keys.ts";
import { fakeGrid } from "../testing/fake-grid.ts";
import { runKey } from "./key-commands.ts";

type FakeGrid = Awaited<ReturnType<typeof fakeGrid>>;

async function press({ grid, clock }: FakeGrid, key: string, modifiers: object): Promise<void> {
  expect(runKey(grid, { key, ...modifiers } as KeyboardEvent)).toBe(true);
  await clock.advance(100);
}

const rowsLeft = ({ server }: FakeGrid) => [...server.incidents.records.keys()];

it("Alt and Enter open the focused record, also where others are ticked", async () => {
  const fake = await fakeGrid(4);
  fake.at.ticked = [fake.grid.rowList.get("i3")];
  fake.at.focused.row = 1;
  await press(fake, "Enter", { altKey: true });
  expect(fake.opened).toEqual(["i1"]);
});

describe("Ctrl and Delete", () => {
  it("delete the ticked records, wherever the focus is", async () => {
    const fake = await fakeGrid(4);
    fake.select(0, 1, "title", "secret");
    fake.at.ticked = [fake.grid.rowList.get("i3")];
    await press(fake, "Delete", { ctrlKey: true });
    expect(rowsLeft(fake)).toEqual(["i0", "i1", "i2"]);
  });

  it("delete all records whose rows are selected whole, as their menu does", async () => {
    const fake = await fakeGrid(5);
    fake.select(1, 3, "title", "secret");
    fake.at.focused.row = 3;
    await press(fake, "Delete", { ctrlKey: true });
    expect(rowsLeft(fake)).toEqual(["i0", "i4"]);
  });

  it("delete the focused record where only cells are selected", async () => {
    const fake = await fakeGrid(4);
    fake.select(1, 3, "title");
    fake.at.focused.row = 1;
    await press(fake, "Delete", { ctrlKey: true });
    expect(rowsLeft(fake)).toEqual(["i0", "i2", "i3"]);
  });
});

it("Backspace deletes a record with the key of a Mac only, not with Ctrl", async () => {
  const fake = await fakeGrid(3);
  await press(fake, "Backspace", { ctrlKey: true });
  expect(rowsLeft(fake)).toEqual(["i0", "i1", "i2"]);
  await press(fake, "Backspace", { metaKey: true });
  expect(rowsLeft(fake)).toEqual(["i1", "i2"]);
});

it("gives each key one command, and runs on a heading only those that need no cell", async () => {
  const keys = Object.values(gridKeys).flatMap(({ keys: of }) => [...of]);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  const fake = await fakeGrid(2);
  const press = { key: "Delete", ctrlKey: true } as KeyboardEvent;
  expect(runKey(fake.grid, press, "heading")).toBe(false);
  await fake.clock.advance(100);
  expect(rowsLeft(fake)).toEqual(["i0", "i1"]);
});

it("undoes and redoes from anywhere on the page, such as the header of a column, and runs nothing else there", async () => {
  const fake = await fakeGrid(2);
  const title = () => fake.stored("i0", "title");
  fake.grid.core.edits.edit("incidents", {
    record: "i0",
    set: { title: "New" },
    base: { title: "Title 0" },
  });
  await fake.clock.advance(100);
  expect(title()).toBe("New");
  const onPage = async (key: string) => {
    const isRun = runKey(fake.grid, { key, ctrlKey: true } as KeyboardEvent, "page");
    await fake.run(Promise.resolve());
    return isRun;
  };
  expect(await onPage("z")).toBe(true);
  expect(title()).toBe("Title 0");
  expect(await onPage("y")).toBe(true);
  expect(title()).toBe("New");
  for (const key of ["Delete", "ArrowDown", "a", "d"]) expect(await onPage(key)).toBe(false);
});
