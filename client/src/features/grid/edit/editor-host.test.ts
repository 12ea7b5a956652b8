import { expect, it, vi } from "vitest";
import type { Field } from "../../../../../shared/model/model.ts";
import { baseOf, saveValue } from "../../../records/fields/field-edit.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { fakeGrid } from "../testing/fake-grid.ts";
import { cellAt, EditorHost, type OpenEditor } from "./editor-host.ts";

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

it("shows a conflict that an edit has come into, and no other refusal", async () => {
  const fake = await fakeGrid(2);
  const { grid, clock } = fake;
  const showNewConflict = vi.fn();
  Object.assign(grid.actions, { showNewConflict });
  saveValue(cellOf(fake, "title"), "Title 0", "invalid");
  await clock.advance(200);
  expect(grid.rowList.get("i0")?.cells.title).toMatchObject({ kind: "rejected" });
  expect(showNewConflict).not.toHaveBeenCalled();
  saveValue(cellOf(fake, "state"), "Another", "Active");
  await clock.advance(200);
  expect(showNewConflict).toHaveBeenCalledWith("i0", "state");
});

it("stays open when another editor that was open before is closed", () => {
  const host = new EditorHost();
  const [former, open] = [{}, {}] as [OpenEditor, OpenEditor];
  host.open(former);
  host.open(open);
  host.locked = { record: "r", field: "f", reason: "Locked." };
  host.close(former);
  expect([host.current(), host.lockedReason("r", "f")]).toEqual([open, "Locked."]);
  host.close(open);
  expect([host.isOpen, host.locked]).toEqual([false, null]);
});
