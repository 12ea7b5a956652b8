import { expect, it } from "vitest";
import { boundsOf } from "../range/cell-range.ts";
import { fakeGrid } from "../testing/fake-grid.ts";
import { beginFill, endFill, fillTo } from "./fill-handle.ts";

it("fills in the direction of the drag, also where the rows have moved meanwhile", async () => {
  const fake = await fakeGrid(4);
  const { grid, clock } = fake;
  const { range, rowList } = grid;
  fake.select(2, 2, "title");
  const filled = beginFill(grid, range.range ?? expect.fail());
  fillTo(grid, filled, { row: 1, column: 0 });
  fake.create("first", { title: "First", rank: -1 });
  await clock.advance(100);
  rowList.realign();
  await clock.advance(100);
  range.realign();
  expect(boundsOf(range.range ?? expect.fail())).toMatchObject({ top: 2, bottom: 3 });
  await fake.run(Promise.resolve(endFill(grid, filled)));
  const titles = ["i0", "i1", "i2", "i3"].map((id) => fake.stored(id, "title"));
  expect(titles).toEqual(["Title 0", "Title 2", "Title 2", "Title 3"]);
});
