import { expect, it } from "vitest";
import type { Field } from "../../../../../shared/model/model.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { fakeGrid } from "../testing/fake-grid.ts";
import { baseOf, commitCell } from "./commit-cell.ts";

const fieldOf = ({ grid }: Awaited<ReturnType<typeof fakeGrid>>, name: string) =>
  grid.fields.get(name) as Field;

it("begins an editor with what its user has written in the cell, before the grid has drawn it", async () => {
  const fake = await fakeGrid(2);
  const { grid, clock } = fake;
  const drawn = grid.window.get("i0") as RecordView;
  const edit = (name: string, base: string) => ({ record: "i0", field: fieldOf(fake, name), base });
  commitCell(grid, edit("title", "Title 0"), "Mine");
  commitCell(grid, edit("state", "New"), "Active");
  expect(baseOf(grid, drawn, "state")).toBe("Active");
  expect(baseOf(grid, drawn, "title")).toBe("Mine");
  await clock.advance(200);
  expect(fake.stored("i0", "title")).toBe("Mine");
  expect(baseOf(grid, grid.window.get("i0") as RecordView, "title")).toBe("Mine");
});

it("begins an editor with what its user sees, although somebody else has written since", async () => {
  const fake = await fakeGrid(2);
  const { grid, clock } = fake;
  const drawn = grid.window.get("i0") as RecordView;
  fake.change("i0", { title: "Theirs" });
  await clock.advance(100);
  expect(baseOf(grid, drawn, "title")).toBe("Title 0");
});
