import { expect, it } from "vitest";
import type { Field } from "../../../../../shared/model/model.ts";
import { baseOf, saveValue } from "../../../records/fields/field-edit.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { fakeGrid } from "../testing/fake-grid.ts";
import { cellAt } from "./editor-host.ts";

type FakeGrid = Awaited<ReturnType<typeof fakeGrid>>;

const cellOf = ({ grid }: FakeGrid, name: string) =>
  cellAt(grid, "i0", grid.fields.get(name) as Field);

it("begins an editor with what its user has written in the cell, before the grid has drawn it", async () => {
  const fake = await fakeGrid(2);
  const { grid, clock } = fake;
  const drawn = grid.rowList.get("i0") as RecordView;
  saveValue(cellOf(fake, "title"), "Title 0", "Mine");
  saveValue(cellOf(fake, "state"), "New", "Active");
  expect(baseOf(cellOf(fake, "state"), drawn)).toBe("Active");
  expect(baseOf(cellOf(fake, "title"), drawn)).toBe("Mine");
  await clock.advance(200);
  expect(fake.stored("i0", "title")).toBe("Mine");
  expect(baseOf(cellOf(fake, "title"), grid.rowList.get("i0") as RecordView)).toBe("Mine");
});

it("begins an editor with what its user sees, although somebody else has written since", async () => {
  const fake = await fakeGrid(2);
  const { grid, clock } = fake;
  const drawn = grid.rowList.get("i0") as RecordView;
  fake.change("i0", { title: "Theirs" });
  await clock.advance(100);
  expect(baseOf(cellOf(fake, "title"), drawn)).toBe("Title 0");
});
